package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.queries.ForeignPaths;
import org.hibernate.graph.spi.AttributeNodeImplementor;
import org.hibernate.graph.spi.GraphImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.sql.ast.spi.AbstractSqlAstWalker;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.expression.SqlSelectionExpression;
import org.hibernate.sql.ast.tree.from.FromClause;
import org.hibernate.sql.ast.tree.from.TableGroup;
import org.hibernate.sql.ast.tree.select.SelectStatement;
import org.jspecify.annotations.Nullable;

/**
 * Finds joins of rows of other shards in what Hibernate is about to send, however it came to join them.
 *
 * <p>Hibernate adds joins that no text shows: for entity graphs, and for associations that are fetched
 * eagerly. Such a join would find the row only if it happened to be in the same shard, and otherwise set the
 * reference to null or drop the row. It has to be found before the SQL is sent, because the SQL does not show which
 * table is one of another shard.
 */
public final class ForeignJoins extends AbstractSqlAstWalker {
    private ForeignJoins() {}

    /** Checks a translated select. */
    static void check(Statement statement) {
        if (statement instanceof SelectStatement select) {
            select.accept(new ForeignJoins());
        }
    }

    /**
     * Checks an entity graph, with which rows are loaded by their ids. Null for none. Loads by id do not pass
     * through the translator, so that they are checked by the graph.
     */
    public static void check(@Nullable GraphImplementor<?> graph) {
        if (graph == null) {
            return;
        }
        for (AttributeNodeImplementor<?, ?, ?> node : graph.getAttributeNodeList()) {
            if (!node.getAttributeDescriptor().isCollection()
                    && ForeignShardBinder.isForeign(
                            node.getAttributeDescriptor().getJavaMember())) {
                String path = graph.getGraphedType().getTypeName() + "." + node.getAttributeName();
                throw ForeignPaths.refused(path, path);
            }
            node.getSubGraphs().values().forEach(ForeignJoins::check);
        }
    }

    /** A reference to an item of the select list, which is visited there. Hibernate's visitor would visit the reference again and again. */
    @Override
    public void visitSqlSelectionExpression(SqlSelectionExpression reference) {}

    /**
     * A table that no part of the query uses is not joined, but asking for it would join it. Within a subselect, the table of an
     * association of the outer row is one of the roots.
     */
    @Override
    public void visitFromClause(FromClause from) {
        from.getRoots().stream().filter(TableGroup::isInitialized).forEach(root -> root.accept(this));
    }

    @Override
    public void visitTableGroup(TableGroup group) {
        if (group.getModelPart() instanceof AttributeMapping attribute
                && ForeignShardBinder.isForeign(attribute)
                && !attribute.isPluralAttributeMapping()) {
            String path = attribute.getNavigableRole().getFullPath();
            throw ForeignPaths.refused(path, path);
        }
        super.visitTableGroup(group);
    }
}
