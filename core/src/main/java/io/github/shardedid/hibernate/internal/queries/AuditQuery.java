package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.mapping.AuditTables;
import io.github.shardedid.routing.MixedStatementException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.spi.QueryParameterBinding;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.SqmStatement;
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
import org.jspecify.annotations.Nullable;

/**
 * A query of audit tables or revisions, as Hibernate Envers makes them: the conditions on all of its rows that name their shard. Each
 * is a list of parameters, of which one equals an id. Immutable.
 */
record AuditQuery(List<List<SqmParameter<?>>> conditions) {
    static final AuditQuery NONE = new AuditQuery(List.of());

    static AuditQuery of(String hql, AuditTables tables, SessionFactoryImplementor factory) {
        SqmStatement<?> statement =
                factory.getQueryEngine().interpretHql(hql, null).getSqmStatement();
        if (!(statement instanceof SqmSelectStatement<?> select)
                || !(select.getQueryPart() instanceof SqmQuerySpec<?> spec)
                || spec.getWhereClause() == null
                || spec.getWhereClause().getPredicate() == null) {
            return NONE;
        }
        List<List<SqmParameter<?>>> conditions = new ArrayList<>();
        collect(spec.getWhereClause().getPredicate(), tables, conditions);
        return conditions.isEmpty() ? NONE : new AuditQuery(List.copyOf(conditions));
    }

    private static void collect(SqmPredicate predicate, AuditTables tables, List<List<SqmParameter<?>>> conditions) {
        if (predicate instanceof SqmGroupedPredicate group) {
            collect(group.getSubPredicate(), tables, conditions);
        } else if (predicate instanceof SqmJunctionPredicate junction
                && junction.getOperator() == jakarta.persistence.criteria.Predicate.BooleanOperator.AND) {
            junction.getPredicates().forEach(each -> collect(each, tables, conditions));
        } else if (predicate instanceof SqmComparisonPredicate comparison
                && comparison.getSqmOperator() == ComparisonOperator.EQUAL
                && !comparison.isNegated()) {
            SqmExpression<?> left = comparison.getLeftHandExpression();
            SqmExpression<?> right = comparison.getRightHandExpression();
            add(left, List.of(right), tables, conditions);
            add(right, List.of(left), tables, conditions);
        } else if (predicate instanceof SqmInListPredicate<?> list && !list.isNegated()) {
            add(list.getTestExpression(), list.getListExpressions(), tables, conditions);
        }
    }

    private static void add(
            SqmExpression<?> attribute,
            List<? extends SqmExpression<?>> values,
            AuditTables tables,
            List<List<SqmParameter<?>>> conditions) {
        List<SqmParameter<?>> parameters = new ArrayList<>();
        for (SqmExpression<?> value : values) {
            if (value instanceof SqmParameter<?> parameter) {
                parameters.add(parameter);
            }
        }
        if (attribute instanceof SqmPath<?> path && parameters.size() == values.size() && namesShard(path, tables)) {
            conditions.add(parameters);
        }
    }

    /** Whether the path is, from its last entity on, an attribute with an id of the row's own shard. */
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
     * The shard that all rows are in.
     *
     * @return null if no condition names it
     * @throws MixedStatementException if the ids are of several shards
     */
    Target.@Nullable Single target(String hql, QueryParameterBindings bindings, Cluster cluster) {
        Set<Integer> shards = new TreeSet<>();
        for (List<SqmParameter<?>> parameters : conditions) {
            for (SqmParameter<?> parameter : parameters) {
                for (Object value : values(parameter, bindings)) {
                    if (value instanceof Number id) {
                        shards.add(cluster.shardOf(id.longValue()));
                    }
                }
            }
        }
        if (shards.size() > 1) {
            throw new MixedStatementException("A query of audit tables compares with ids or revisions of the shards "
                    + shards + ", but revisions audit the rows of their own shard. Send one query for each shard: "
                    + hql);
        }
        return shards.isEmpty() ? null : Target.shard(shards.iterator().next());
    }

    private static Collection<?> values(SqmParameter<?> parameter, QueryParameterBindings bindings) {
        Integer position = parameter.getPosition();
        QueryParameterBinding<?> binding = position != null
                ? bindings.getBinding(position.intValue())
                : bindings.getBinding(String.valueOf(parameter.getName()));
        if (binding.isMultiValued()) {
            return binding.getBindValues();
        }
        Object value = binding.getBindValue();
        return value == null ? List.of() : List.of(value);
    }
}
