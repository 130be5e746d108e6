package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.catalog.Catalogue;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.FromItem;
import io.github.shardedid.routing.internal.sql.grammar.FromItem.Join;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import java.util.Map;

/** The columns with ids of their own shard in a query: no two shards have the same. */
record RowIds(Select query, Scope scope, Map<FromItem, Relation> relations) {
    boolean isOwn(Expression expression) {
        return scope.keyed(expression) != null;
    }

    /** Whether each row of the query has an id in a column, so that no two shards have rows that are equal in it. */
    boolean isOfEachRow(Expression expression, Catalogue catalogue) {
        Relation relation = scope.keyed(expression);
        return relation != null
                && query.from.stream().anyMatch(item -> always(item, relation, expression.name(), catalogue));
    }

    /** Whether a FROM item always has a row of a relation, which is a table whose column is never null. */
    private boolean always(FromItem item, Relation relation, String column, Catalogue catalogue) {
        if (item instanceof Join join) {
            boolean left = join.type() == Join.Type.INNER || join.type() == Join.Type.LEFT;
            boolean right = join.type() == Join.Type.INNER || join.type() == Join.Type.RIGHT;
            return (left && always(join.left(), relation, column, catalogue))
                    || (right && always(join.right(), relation, column, catalogue));
        }
        return relation.equals(relations.get(item))
                && item instanceof FromItem.Table table
                && catalogue.isNotNull(table.schema(), table.name(), column);
    }
}
