package io.github.shardedid.spring.data;

import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.query.QueryUtils;

/**
 * A condition that gives a query an order, unless it or the application does: pages of rows of several shards would overlap without one.
 *
 * @param wholeRows whether the query returns rows of its entity, so that it may be ordered even if it is distinct
 */
@SuppressWarnings("serial") // of the application, as the condition
record OrderedSpecification<T>(Specification<T> target, Sort order, boolean wholeRows) implements Specification<T> {
    @Override
    public @Nullable Predicate toPredicate(Root<T> root, CriteriaQuery<?> query, CriteriaBuilder builder) {
        Predicate predicate = target.toPredicate(root, query, builder);
        boolean anyOrder =
                wholeRows || (!query.isDistinct() && query.getGroupList().isEmpty());
        if (query.getOrderList().isEmpty() && anyOrder) {
            query.orderBy(QueryUtils.toOrders(order, root, builder));
        }
        return predicate;
    }
}
