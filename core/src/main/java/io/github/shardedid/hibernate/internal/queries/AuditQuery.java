package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.mapping.AuditTables;
import io.github.shardedid.routing.MixedStatementException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.spi.QueryParameterImplementor;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmGroupedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmJunctionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.jspecify.annotations.Nullable;

/**
 * A query of audit tables or revisions, as Hibernate Envers makes them: the conditions on all of its rows that name their shard. Each
 * is a list of parameters, of which one equals an id. Immutable.
 */
record AuditQuery(List<List<QueryParameterImplementor<?>>> conditions) {
    /** Reads a query; null if no condition names the shard of its rows. */
    static @Nullable AuditQuery of(SqmSelectStatement<?> query, DomainParameterXref parameters, AuditTables tables) {
        if (tables.isEmpty()
                || !(query.getQueryPart() instanceof SqmQuerySpec<?> spec)
                || spec.getWhereClause() == null
                || spec.getWhereClause().getPredicate() == null) {
            return null;
        }
        List<List<QueryParameterImplementor<?>>> conditions = new ArrayList<>();
        collect(spec.getWhereClause().getPredicate(), (path, values) -> {
            if (namesShard(path, tables)) {
                conditions.add(values.stream()
                        .<QueryParameterImplementor<?>>map(value -> RequiredRows.bound(value, parameters))
                        .toList());
            }
        });
        return conditions.isEmpty() ? null : new AuditQuery(List.copyOf(conditions));
    }

    private static void collect(SqmPredicate predicate, BiConsumer<SqmPath<?>, List<SqmParameter<?>>> found) {
        if (predicate instanceof SqmGroupedPredicate group) {
            collect(group.getSubPredicate(), found);
        } else if (predicate instanceof SqmJunctionPredicate junction
                && junction.getOperator() == jakarta.persistence.criteria.Predicate.BooleanOperator.AND) {
            junction.getPredicates().forEach(each -> collect(each, found));
        } else if (predicate instanceof SqmComparisonPredicate comparison
                && comparison.getSqmOperator() == ComparisonOperator.EQUAL
                && !comparison.isNegated()) {
            SqmExpression<?> left = comparison.getLeftHandExpression();
            SqmExpression<?> right = comparison.getRightHandExpression();
            add(left, List.of(right), found);
            add(right, List.of(left), found);
        } else if (predicate instanceof SqmInListPredicate<?> list && !list.isNegated()) {
            add(list.getTestExpression(), list.getListExpressions(), found);
        }
    }

    private static void add(
            SqmExpression<?> attribute,
            List<? extends SqmExpression<?>> values,
            BiConsumer<SqmPath<?>, List<SqmParameter<?>>> found) {
        List<SqmParameter<?>> parameters = new ArrayList<>();
        for (SqmExpression<?> value : values) {
            if (value instanceof SqmParameter<?> parameter) {
                parameters.add(parameter);
            }
        }
        if (attribute instanceof SqmPath<?> path && parameters.size() == values.size()) {
            found.accept(path, parameters);
        }
    }

    /** Returns whether the path is, from its last entity on, an attribute with an id of the row's own shard. */
    private static boolean namesShard(SqmPath<?> path, AuditTables tables) {
        StringBuilder attributes = new StringBuilder();
        for (SqmPath<?> at = path; at != null; at = at.getLhs()) {
            if (at.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type) {
                return tables.nameShard(type.getHibernateEntityName(), attributes.toString());
            }
            String name = at.getReferencedPathSource().getPathName();
            attributes.insert(0, attributes.length() == 0 ? name : name + ".");
        }
        return false;
    }

    /**
     * Returns the shard that all rows are in.
     *
     * @return null if the values name none
     * @throws MixedStatementException if the ids are of several shards
     */
    Target.@Nullable Single target(ExecutionContext context, Cluster cluster) {
        Set<Integer> shards = new TreeSet<>();
        conditions.stream()
                .flatMap(List::stream)
                .forEach(parameter ->
                        RequiredRows.forEach(context.getQueryParameterBindings().getBinding(parameter), value -> {
                            if (value instanceof Number id) {
                                shards.add(cluster.shardOf(id.longValue()));
                            }
                        }));
        if (shards.size() > 1) {
            throw new MixedStatementException("A query of audit tables compares with ids or revisions of the shards "
                    + shards + ", but revisions audit the rows of their own shard. Send one query for each shard: "
                    + context.getQueryIdentifier(""));
        }
        return shards.isEmpty() ? null : Target.shard(shards.iterator().next());
    }
}
