package io.github.shardedid.hibernate.internal.queries;

import java.util.List;
import org.hibernate.query.sqm.spi.BaseSemanticQueryWalker;
import org.hibernate.query.sqm.tree.domain.NonAggregatedCompositeSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmAnyValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmBasicValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmEmbeddedValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmEntityValuedSimplePath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.domain.SqmPluralValuedSimplePath;
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

    @Override
    public Object visitBasicValuedPath(SqmBasicValuedSimplePath<?> path) {
        return visitPath(path);
    }

    @Override
    public Object visitEmbeddableValuedPath(SqmEmbeddedValuedSimplePath<?> path) {
        return visitPath(path);
    }

    @Override
    public Object visitAnyValuedValuedPath(SqmAnyValuedSimplePath<?> path) {
        return visitPath(path);
    }

    @Override
    public Object visitNonAggregatedCompositeValuedPath(NonAggregatedCompositeSimplePath<?> path) {
        return visitPath(path);
    }

    @Override
    public Object visitEntityValuedPath(SqmEntityValuedSimplePath<?> path) {
        return visitPath(path);
    }

    @Override
    public Object visitPluralValuedPath(SqmPluralValuedSimplePath<?> path) {
        return visitPath(path);
    }

    /** Visits a path that ends with an attribute: Hibernate's visitor has a method for each kind of it. */
    protected Object visitPath(SqmPath<?> path) {
        return path;
    }
}
