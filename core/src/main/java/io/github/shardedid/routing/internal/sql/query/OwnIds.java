package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.RequiredIds;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** Whether values are several in parentheses, not one that is computed from several. */
    private static boolean isList(Expression values) {
        SqlSpan span = values.span();
        return values.is(Kind.OTHER)
                && span.text().is(span.from(), "(")
                && SqlNames.closing(span.text(), span.from()) == span.to() - 1;
    }

    /** Those of an equality, or all of a list. */
    static Optional<RequiredIds> required(Select query, Scope scope, int count) {
        if (query.where == null) {
            return Optional.empty();
        }
        List<RequiredIds> found = new ArrayList<>();
        query.where.conjuncts(condition -> {
            List<Expression> parts = condition.parts();
            boolean list = condition.is(Kind.IN_LIST) || condition.is(Kind.EQUALS_ANY);
            if ((list || condition.is(Kind.EQUALS)) && scope.keyed(parts.get(0)) != null) {
                required(parts.get(1), list, count).ifPresent(found::add);
            } else if (condition.is(Kind.EQUALS) && scope.keyed(parts.get(1)) != null) {
                required(parts.get(0), false, count).ifPresent(found::add);
            }
        });
        return found.stream().filter(ids -> !ids.isList()).findFirst().or(() -> found.stream()
                .findFirst());
    }

    private static Optional<RequiredIds> required(Expression values, boolean list, int count) {
        List<Expression> all = list && isList(values) ? values.parts() : List.of(values);
        List<Long> numbers = new ArrayList<>();
        for (Expression value : all) {
            Long number = number(value);
            if (number != null) {
                numbers.add(number);
            } else if (!isParameter(value) && !(list && isNull(value))) {
                return Optional.empty();
            }
        }
        return Optional.of(new RequiredIds(values.span().parameters(), numbers, list, count));
    }

    private static @Nullable Long number(Expression value) {
        return value.is(Kind.LITERAL) ? ValueLists.number(value.span().sql()) : null;
    }

    private static boolean isParameter(Expression value) {
        return value.span().is("?");
    }

    /** NULL equals no id. Hibernate writes it for a list without elements. */
    private static boolean isNull(Expression value) {
        return value.span().is("NULL");
    }
}
