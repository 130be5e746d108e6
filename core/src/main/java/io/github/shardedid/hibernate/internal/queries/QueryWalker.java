package io.github.shardedid.hibernate.internal.queries;

import java.util.List;
import org.hibernate.query.sqm.spi.BaseSemanticQueryWalker;
import org.hibernate.query.sqm.tree.expression.SqmAliasedNodeRef;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.select.SqmSortSpecification;

/**
 * Visits all parts of a query. A reference to an item of the select list, by its alias or its position, is passed over: the item itself
 * is visited, and Hibernate's references refuse visitors.
 */
public abstract class QueryWalker extends BaseSemanticQueryWalker {
    @Override
    public Object visitGroupByClause(List<SqmExpression<?>> expressions) {
        return expressions == null
                ? List.of()
                : super.visitGroupByClause(expressions.stream()
                        .filter(each -> !(each instanceof SqmAliasedNodeRef))
                        .toList());
    }

    @Override
    public Object visitSortSpecification(SqmSortSpecification specification) {
        return specification.getSortExpression() instanceof SqmAliasedNodeRef
                ? specification
                : super.visitSortSpecification(specification);
    }
}
