package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.ComparedIds.Ids;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the parameters that are ids of rows, one of which each row has: in conditions that the WHERE requires. */
final class OwnIds {
    private OwnIds() {}

    /**
     * A list of ids of rows that is one parameter, of which a shard needs only its own: the ids of other shards' rows equal none of its.
     *
     * @param parameter its number, from 1
     * @param column how many tokens the column takes, if the list is behind {@code IN}; 0 if it is an array
     */
    record IdList(int parameter, int column) {
        /** The same with the number that its parameter has elsewhere. */
        IdList in(List<Integer> numbers) {
            return new IdList(numbers.get(parameter - 1), column);
        }
    }

    static List<IdList> lists(Select query, Scope scope) {
        List<IdList> found = new ArrayList<>();
        if (query.where != null) {
            query.where.walk(condition -> {
                boolean list =
                        condition.is(Kind.IN_LIST) || condition.is(Kind.IN_NONE) || condition.is(Kind.EQUALS_ANY);
                if (list
                        && isParameter(condition.parts().get(1))
                        && scope.keyed(condition.parts().get(0)) != null) {
                    SqlSpan span = condition.span();
                    int word = condition.parts().get(0).span().to();
                    while (span.text().is(word, ")")) {
                        word++;
                    }
                    boolean in = span.text().is(word, "IN") || span.text().is(word, "NOT");
                    found.add(new IdList(
                            condition.parts().get(1).span().parameters().get(0), in ? word - span.from() : 0));
                }
            });
        }
        return List.copyOf(found);
    }

    /** Those of which each row has one. */
    static Optional<Ids> required(Select query, Scope scope) {
        return query.where == null
                ? Optional.empty()
                : Optional.ofNullable(
                        new KeyValues(column -> scope.keyed(column) != null, column -> null).of(query.where));
    }

    private static boolean isParameter(Expression value) {
        return value.span().is("?");
    }
}
