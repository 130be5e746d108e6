package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.data.report.RouteKind;
import jakarta.persistence.criteria.Order;
import jakarta.persistence.criteria.Predicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Example;
import org.springframework.data.jpa.convert.QueryByExamplePredicateBuilder;
import org.springframework.data.jpa.domain.PredicateSpecification;
import org.springframework.data.jpa.domain.Specification;

/**
 * The route of a method whose first argument is the condition itself, such as a Specification: the shards of the ids or shard keys
 * that it requires by equality, or by a list. Safe for use by several threads.
 *
 * @param inScope the route of a condition that does not determine them
 */
record ConditionRoute<T>(MethodName name, Class<T> entity, EntityShards shards, MethodRoute inScope)
        implements MethodRoute {
    private static final String QUERYDSL = "com.querydsl.core.types.Predicate";

    /** Whether an argument of a type is such a condition. */
    static boolean accepts(Class<?> type) {
        return type == Specification.class
                || type == PredicateSpecification.class
                || type == Example.class
                || type.getName().equals(QUERYDSL);
    }

    /** Whether a condition sets an order, which that of a page would replace. */
    @SuppressWarnings("unchecked") // Spring Data asks for conditions of the repository's entity
    static <T> boolean isOrdered(@Nullable Object condition, Class<T> entity, EntityShards shards) {
        List<Order> order = new ArrayList<>();
        if (condition instanceof Specification<?> specification) {
            shards.shardsOf(entity, (root, query, builder) -> {
                Predicate predicate = ((Specification<T>) specification).toPredicate(root, query, builder);
                order.addAll(query.getOrderList());
                return predicate;
            });
        }
        return !order.isEmpty();
    }

    @Override
    public CallTarget of(@Nullable Object[] arguments) {
        if (ShardContext.currentSet().isPresent()) {
            return CallTarget.AS_IT_IS;
        }
        Optional<Set<Integer>> found = shardsOf(arguments[0]);
        return found.isEmpty() ? inScope.of(arguments) : target(found.get());
    }

    @Override
    public RouteKind kind() {
        return RouteKind.SHARDS_OF_CONDITION;
    }

    @SuppressWarnings("unchecked") // Spring Data asks for conditions of the repository's entity
    private Optional<Set<Integer>> shardsOf(@Nullable Object condition) {
        if (condition instanceof Specification<?> specification) {
            return shards.shardsOf(entity, ((Specification<T>) specification)::toPredicate);
        } else if (condition instanceof PredicateSpecification<?> predicate) {
            return shards.shardsOf(entity, (root, query, builder) -> ((PredicateSpecification<T>) predicate)
                    .toPredicate(root, builder));
        }
        if (condition != null && name.method().getParameterTypes()[0].getName().equals(QUERYDSL)) {
            return new QuerydslShards(entity, shards).of(condition);
        }
        return condition instanceof Example<?> example
                ? shards.shardsOf(
                        entity,
                        (root, query, builder) ->
                                QueryByExamplePredicateBuilder.getPredicate(root, builder, (Example<T>) example))
                : Optional.empty();
    }

    private CallTarget target(Set<Integer> found) {
        if (found.isEmpty() && name.method().getName().equals("findBy")) {
            return new CallTarget.ToShard(0); // Only the function of the caller knows what nothing is.
        } else if (found.isEmpty()) {
            return new CallTarget.ToNothing(name.unroutable("no row can fulfil its condition."));
        }
        return found.size() == 1
                ? new CallTarget.ToShard(found.iterator().next())
                : new CallTarget.ToShards(ShardSet.of(found));
    }
}
