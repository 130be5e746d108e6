package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import jakarta.persistence.criteria.Predicate.BooleanOperator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.query.sqm.tree.expression.ValueBindJpaCriteriaParameter;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmGroupedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmJunctionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmWhereClause;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.jspecify.annotations.Nullable;

/** The shards of the rows of a criteria query, by the values that its condition compares the id or the shard key with. */
record CriteriaShards(AttributeRules shards) {
    /** Empty if the condition does not fix them. */
    Optional<Set<Integer>> of(SqmSelectStatement<?> query) {
        SqmWhereClause where = QueryParameters.whereOfOneRoot(query);
        return where == null || where.getPredicate() == null ? Optional.empty() : of(where.getPredicate());
    }

    private Optional<Set<Integer>> of(SqmPredicate predicate) {
        if (predicate instanceof SqmGroupedPredicate grouped) {
            return of(grouped.getSubPredicate());
        } else if (predicate instanceof SqmJunctionPredicate junction) {
            return junction.getOperator() == BooleanOperator.AND && !junction.isNegated()
                    ? junction.getPredicates().stream()
                            .map(this::of)
                            .flatMap(Optional::stream)
                            .findFirst()
                    : Optional.empty();
        } else if (predicate instanceof SqmComparisonPredicate equality) {
            SqmExpression<?> left = equality.getLeftHandExpression();
            SqmExpression<?> right = equality.getRightHandExpression();
            return equality.getSqmOperator() == ComparisonOperator.EQUAL && !equality.isNegated()
                    ? of(left, List.of(right)).or(() -> of(right, List.of(left)))
                    : Optional.empty();
        }
        return predicate instanceof SqmInListPredicate<?> in && !in.isNegated()
                ? of(in.getTestExpression(), in.getListExpressions())
                : Optional.empty();
    }

    private Optional<Set<Integer>> of(SqmExpression<?> attribute, List<? extends SqmExpression<?>> values) {
        ShardRule rule = attribute instanceof SqmPath<?> path
                ? QueryParameters.compared(path, shards).rule()
                : null;
        if (rule == null) {
            return Optional.empty();
        }
        Set<Integer> found = new TreeSet<>();
        for (SqmExpression<?> expression : values) {
            Object value;
            if (expression instanceof SqmLiteral<?> literal) {
                value = literal.getLiteralValue();
            } else if (expression instanceof ValueBindJpaCriteriaParameter<?> parameter) {
                value = parameter.getValue();
            } else {
                return Optional.empty();
            }
            add(rule, value, found);
        }
        return Optional.of(found);
    }

    /** A null equals nothing, and an id that no shard can have generated is that of no row. */
    private static void add(ShardRule rule, @Nullable Object value, Set<Integer> found) {
        try {
            if (value != null) {
                found.add(rule.shardOf(value));
            }
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            // in no shard
        }
    }
}
