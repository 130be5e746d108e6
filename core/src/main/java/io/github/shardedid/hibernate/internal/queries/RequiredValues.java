package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import jakarta.persistence.criteria.Predicate.BooleanOperator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFunction;
import org.hibernate.query.sqm.tree.expression.SqmTuple;
import org.hibernate.query.sqm.tree.predicate.SqmBooleanExpressionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmGroupedPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmJunctionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmWhereClause;

/**
 * The values of which each row of a statement has one, as its id or its shard key.
 *
 * @param rule how a value determines the shard
 * @param byList whether there may be several: the elements of an IN or of an array
 */
record RequiredValues(ShardRule rule, List<? extends SqmExpression<?>> values, boolean byList) {
    /**
     * The values of a statement; those of an equality if it requires several.
     *
     * @param known whether the value of an expression, which a rule is to be applied to, is or will be known
     * @return empty if the condition does not fix them
     */
    static Optional<RequiredValues> of(
            SqmStatement<?> statement, AttributeRules shards, BiPredicate<SqmExpression<?>, ShardRule> known) {
        SqmWhereClause where = QueryParameters.whereOfOneRoot(statement);
        if (where == null || where.getPredicate() == null) {
            return Optional.empty();
        }
        List<RequiredValues> all = of(where.getPredicate(), shards)
                .filter(required -> required.values.stream().allMatch(value -> known.test(value, required.rule)))
                .toList();
        return all.stream().filter(required -> !required.byList).findFirst().or(() -> all.stream()
                .findFirst());
    }

    private static Stream<RequiredValues> of(SqmPredicate predicate, AttributeRules shards) {
        if (predicate instanceof SqmGroupedPredicate grouped) {
            return of(grouped.getSubPredicate(), shards);
        } else if (predicate instanceof SqmJunctionPredicate junction) {
            return junction.getOperator() == BooleanOperator.AND && !junction.isNegated()
                    ? junction.getPredicates().stream().flatMap(part -> of(part, shards))
                    : Stream.empty();
        } else if (predicate instanceof SqmComparisonPredicate equality) {
            SqmExpression<?> left = equality.getLeftHandExpression();
            SqmExpression<?> right = equality.getRightHandExpression();
            return equality.getSqmOperator() == ComparisonOperator.EQUAL && !equality.isNegated()
                    ? Stream.concat(of(left, List.of(right), false, shards), of(right, List.of(left), false, shards))
                    : Stream.empty();
        }
        return predicate instanceof SqmInListPredicate<?> in && !in.isNegated()
                ? of(in.getTestExpression(), in.getListExpressions(), true, shards)
                : ofArray(predicate, shards);
    }

    private static Stream<RequiredValues> ofArray(SqmPredicate predicate, AttributeRules shards) {
        return Element.of(predicate).flatMap(found -> of(found.element, List.of(found.array), true, shards));
    }

    /** The condition {@code array_contains(:array, element)}, in HQL also written {@code :array contains element}. */
    record Element(SqmExpression<?> element, SqmExpression<?> array) {
        /** Empty if a predicate is none. */
        static Stream<Element> of(SqmPredicate predicate) {
            return predicate instanceof SqmBooleanExpressionPredicate condition
                            && !condition.isNegated()
                            && condition.getBooleanExpression() instanceof SqmFunction<?> function
                            && function.getFunctionName().equals("array_contains")
                            && function.getArguments().get(0) instanceof SqmExpression<?> array
                            && function.getArguments().get(1) instanceof SqmExpression<?> element
                    ? Stream.of(new Element(element, array))
                    : Stream.empty();
        }
    }

    /** The values of the parts of a tuple, such as {@code (l.photo.id, l.user.id) in ((:photo, :user), …)}. */
    private static Stream<RequiredValues> ofTuple(
            SqmTuple<?> attributes, List<? extends SqmExpression<?>> tuples, boolean byList, AttributeRules shards) {
        int size = attributes.getGroupedExpressions().size();
        boolean same = tuples.stream()
                .allMatch(each -> each instanceof SqmTuple<?> tuple
                        && tuple.getGroupedExpressions().size() == size);
        return IntStream.range(0, same ? size : 0)
                .boxed()
                .flatMap(i -> of(
                        attributes.getGroupedExpressions().get(i),
                        tuples.stream()
                                .<SqmExpression<?>>map(each -> ((SqmTuple<?>) each)
                                        .getGroupedExpressions()
                                        .get(i))
                                .toList(),
                        byList,
                        shards));
    }

    private static Stream<RequiredValues> of(
            SqmExpression<?> attribute,
            List<? extends SqmExpression<?>> values,
            boolean byList,
            AttributeRules shards) {
        if (attribute instanceof SqmTuple<?> tuple) {
            return ofTuple(tuple, values, byList, shards);
        }
        ShardRule rule = attribute instanceof SqmPath<?> path
                ? QueryParameters.compared(path, shards).rule()
                : null;
        return rule == null ? Stream.empty() : Stream.of(new RequiredValues(rule, values, byList));
    }
}
