package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.grammar.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The relations that the names within a select may mean. */
final class Scope {
    final @Nullable Scope outer;
    final List<Relation> relations = new ArrayList<>();

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** The relation of which an expression is a column with ids of its shard; null if it is none, or that is not certain. */
    @Nullable
    Relation keyed(Expression expression) {
        if (!expression.is(Expression.Kind.COLUMN)) {
            return null;
        }
        String column = expression.name();
        if (expression.names().size() == 1) {
            // Without knowing all columns, the innermost relations are those that it can belong to for certain.
            return relations.stream()
                    .filter(relation -> relation.keys.contains(column))
                    .findFirst()
                    .orElse(null);
        }
        Relation relation =
                expression.names().size() == 2 ? named(expression.names().get(0)) : null;
        return relation != null && relation.keys.contains(column) ? relation : null;
    }

    private @Nullable Relation named(String alias) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            for (Relation relation : scope.relations) {
                if (relation.alias.equals(alias)) {
                    return relation;
                }
            }
        }
        return null;
    }

    /** Whether a relation is bound to one of these, or of those around. */
    boolean binds(Relation inner) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            if (scope.relations.stream().anyMatch(relation -> relation.sharded && relation.isWith(inner))) {
                return true;
            }
        }
        return false;
    }
}
