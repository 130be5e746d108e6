package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.HashSet;
import java.util.Set;

/** Finds the parameters of which a shard needs only those with its own ids: in a list that the WHERE requires. */
final class OwnIds {
    private OwnIds() {}

    /** Elsewhere, an unknown id in the list would change more than whether it is found. */
    static Set<Integer> of(Select query, Scope scope) {
        Set<Integer> found = new HashSet<>();
        if (query.where != null) {
            query.where.conjuncts(condition -> {
                if (condition.is(Kind.IN_LIST) && scope.keyed(condition.parts().get(0)) != null) {
                    add(condition.parts().get(1), found);
                }
            });
        }
        return Set.copyOf(found);
    }

    private static void add(Expression values, Set<Integer> found) {
        if (isParameter(values)) {
            found.addAll(values.span().parameters());
        } else if (values.is(Kind.OTHER)) {
            values.parts().stream()
                    .filter(OwnIds::isParameter)
                    .forEach(value -> found.addAll(value.span().parameters()));
        }
    }

    private static boolean isParameter(Expression value) {
        return value.span().is("?");
    }
}
