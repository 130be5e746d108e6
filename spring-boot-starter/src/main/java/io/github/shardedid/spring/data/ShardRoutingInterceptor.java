package io.github.shardedid.spring.data;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.query.QueryUtils;
import org.springframework.data.repository.query.FluentQuery.FetchableFluentQuery;

/**
 * Determines the target of each call of a repository method, for a {@link CallScope}. Called before the transaction interceptor, since a
 * call may be refused, or be one transaction per shard.
 */
final class ShardRoutingInterceptor implements MethodInterceptor {
    private final MethodRoutes routes;

    ShardRoutingInterceptor(MethodRoutes routes) {
        this.routes = routes;
    }

    /** A call within another one, as by an expression in its query, begins in the scope that the application has opened. */
    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        try (ShardContext.Scope scope = RoutedScope.ofApplication()) {
            MethodRoute route = routes.of(call.getMethod());
            return routes.isByStatement(route)
                    ? proceedByStatement(call)
                    : proceed(call, route.of(call.getArguments()));
        }
    }

    /** The statement is routed when it is executed: to several shards, for all that is known here. */
    private @Nullable Object proceedByStatement(MethodInvocation call) throws Throwable {
        if (ShardContext.current().isEmpty()) {
            orderPage(call);
        }
        try {
            return call.proceed();
        } catch (UnroutableMethodException ofAnother) {
            throw ofAnother;
        } catch (NoShardException e) {
            throw ShardContext.target() == null ? routes.unroutable(call.getMethod(), e) : e;
        }
    }

    private @Nullable Object proceed(MethodInvocation call, CallTarget target) throws Throwable {
        if (target instanceof CallTarget.ToShard to) {
            return proceed(call, Target.shard(to.shard()));
        }
        if (target instanceof CallTarget.ToShards to) {
            orderPage(call);
            return proceed(call, to.shards());
        }
        if (target instanceof CallTarget.PerShard perShard) {
            return new CallPerShard(call, routes.name(call.getMethod())).proceed(perShard);
        }
        if (ShardContext.currentSet().isPresent()) {
            orderPage(call);
        }
        return target instanceof CallTarget.ToNothing nothing ? nothing(call, nothing.why()) : call.proceed();
    }

    private @Nullable Object proceed(MethodInvocation call, Target target) throws Throwable {
        return CallScope.proceed(call, target, routes.isOwnCode(call.getMethod()));
    }

    /** Any shard knows that there are no such rows, and what the query returns then. */
    private @Nullable Object nothing(MethodInvocation call, RuntimeException why) throws Throwable {
        return routes.knowsNothing(call.getMethod())
                ? NothingFound.by(call.getMethod(), call.getArguments(), why)
                : proceed(call, Target.shard(0));
    }

    /** A page without an order would overlap with others, since the rows of several shards come in any order. */
    private void orderPage(MethodInvocation call) {
        @Nullable Object[] arguments = call.getArguments();
        boolean fluent = call.getMethod().getName().equals("findBy");
        for (int i = 0; i < arguments.length; i++) {
            boolean page = arguments[i] instanceof PageRequest request
                    && request.getSort().isUnsorted();
            boolean query = fluent && arguments[i] instanceof Function;
            Sort order = page || query ? routes.pageOrder(call.getMethod()) : Sort.unsorted();
            if (order.isSorted()) {
                orderBy(order, arguments, i);
            }
        }
    }

    private static void orderBy(Sort order, @Nullable Object[] arguments, int position) {
        if (arguments[0] instanceof Specification<?> specification) {
            boolean page = arguments[position] instanceof PageRequest;
            arguments[0] = new OrderedSpecification<>(specification, order, page);
        } else if (arguments[position] instanceof PageRequest request) {
            arguments[position] = request.withSort(order);
        } else if (arguments[position] instanceof Function<?, ?> function) {
            arguments[position] = OrderedFluentQuery.function(function, order);
        }
    }

    /**
     * Opens the scope of a call around the query, or around what Spring Data implements. Called last: what belongs to the application, such as
     * listeners of domain events and of transactions, runs outside of the scope.
     */
    static final class CallScope implements MethodInterceptor {
        private static final String OPENING = CallScope.class.getName();

        private record Opening(Target target, boolean ownCode) {}

        static final CallScope INSTANCE = new CallScope();

        private CallScope() {}

        /**
         * Proceeds with a call, whose statements go to a target.
         *
         * @param ownCode whether it executes code of the application, which asks for that scope by {@code @AllShards} or
         *     {@code @ShardKey}: then its own calls of repositories are in the scope, too
         */
        static @Nullable Object proceed(MethodInvocation call, Target target, boolean ownCode) throws Throwable {
            ((ProxyMethodInvocation) call).setUserAttribute(OPENING, new Opening(target, ownCode));
            return call.proceed();
        }

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            if (!(((ProxyMethodInvocation) call).getUserAttribute(OPENING) instanceof Opening opening)) {
                return call.proceed();
            }
            try (ShardContext.Scope scope =
                    opening.ownCode ? ShardContext.open(opening.target) : RoutedScope.open(opening.target)) {
                return call.proceed();
            }
        }
    }

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

    /**
     * A fluent query over several shards: its pages, slices and windows for which the application asks for no order are in the given one.
     *
     * @param sorted whether the application has asked for an order
     */
    private record OrderedFluentQuery(FetchableFluentQuery<?> query, Sort order, boolean sorted)
            implements MethodInterceptor {
        /** Returns the function of {@code findBy}, called with such a query. */
        @SuppressWarnings("unchecked") // Spring Data calls it with a fluent query
        static <R> Function<?, R> function(Function<?, R> function, Sort order) {
            return query -> ((Function<Object, R>) function)
                    .apply(
                            query instanceof FetchableFluentQuery<?> fluent
                                    ? new OrderedFluentQuery(fluent, order, false).proxy()
                                    : query);
        }

        private Object proxy() {
            ProxyFactory proxy = new ProxyFactory(query);
            proxy.addAdvice(this);
            return proxy.getProxy();
        }

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            @Nullable Object[] arguments = call.getArguments();
            Object argument = arguments.length == 0 ? null : arguments[0];
            if (!sorted && argument instanceof ScrollPosition position) {
                return query.sortBy(order).scroll(position);
            }
            if (!sorted
                    && argument instanceof PageRequest page
                    && page.getSort().isUnsorted()) {
                arguments[0] = page.withSort(order);
            }
            boolean sorts = argument instanceof Sort sort && sort.isSorted();
            Object result = call.proceed();
            return result instanceof FetchableFluentQuery<?> next
                    ? new OrderedFluentQuery(next, order, sorted || sorts).proxy()
                    : result;
        }
    }
}
