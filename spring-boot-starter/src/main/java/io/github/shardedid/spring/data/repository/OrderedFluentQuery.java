package io.github.shardedid.spring.data.repository;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor.SpecificationFluentQuery;
import org.springframework.data.repository.query.FluentQuery.FetchableFluentQuery;

/**
 * A fluent query over several shards: its pages, slices and windows for which the application asks for no order are in the given one.
 *
 * @param sorted whether the application has asked for an order
 */
public record OrderedFluentQuery<T>(FetchableFluentQuery<T> query, Sort order, boolean sorted)
        implements SpecificationFluentQuery<T> {
    /** The function of {@code findBy}, called with such a query. */
    @SuppressWarnings("unchecked") // Spring Data calls it with a fluent query
    public static <R> Function<?, R> function(Function<?, R> function, Sort order) {
        return query -> ((Function<Object, R>) function)
                .apply(
                        query instanceof FetchableFluentQuery<?> fluent
                                ? new OrderedFluentQuery<>(fluent, order, false)
                                : query);
    }

    private <R> OrderedFluentQuery<R> with(FetchableFluentQuery<R> other) {
        return new OrderedFluentQuery<>(other, order, sorted);
    }

    private Pageable inOrder(Pageable pageable) {
        return !sorted && pageable instanceof PageRequest page && page.getSort().isUnsorted()
                ? page.withSort(order)
                : pageable;
    }

    @Override
    public SpecificationFluentQuery<T> sortBy(Sort sort) {
        return new OrderedFluentQuery<>(query.sortBy(sort), order, sorted || sort.isSorted());
    }

    @Override
    public SpecificationFluentQuery<T> limit(int limit) {
        return with(query.limit(limit));
    }

    @Override
    public <R> SpecificationFluentQuery<R> as(Class<R> type) {
        return with(query.as(type));
    }

    @Override
    public SpecificationFluentQuery<T> project(Collection<String> properties) {
        return with(query.project(properties));
    }

    @Override
    public @Nullable T oneValue() {
        return query.oneValue();
    }

    @Override
    public @Nullable T firstValue() {
        return query.firstValue();
    }

    @Override
    public List<T> all() {
        return query.all();
    }

    @Override
    public Window<T> scroll(ScrollPosition position) {
        return (sorted ? query : query.sortBy(order)).scroll(position);
    }

    @Override
    public Page<T> page(Pageable pageable) {
        return query.page(inOrder(pageable));
    }

    /** Only queries by specifications have this method. */
    @Override
    public Page<T> page(Pageable pageable, Specification<?> count) {
        return ((SpecificationFluentQuery<T>) query).page(inOrder(pageable), count);
    }

    @Override
    public Slice<T> slice(Pageable pageable) {
        return query.slice(inOrder(pageable));
    }

    @Override
    public Stream<T> stream() {
        return query.stream();
    }

    @Override
    public long count() {
        return query.count();
    }

    @Override
    public boolean exists() {
        return query.exists();
    }
}
