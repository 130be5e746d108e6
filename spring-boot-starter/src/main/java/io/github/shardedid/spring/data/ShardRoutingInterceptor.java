package io.github.shardedid.spring.data;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.jpa.domain.Specification;

/**
 * Determines the target of each call of a repository method, for a {@link CallScope}. Called before the transaction interceptor, since a
 * call may be refused, or be one transaction per shard.
 */
record ShardRoutingInterceptor(MethodRoutes routes) implements MethodInterceptor {

    /** A call within another one, as by an expression in its query, begins in the scope that the application has opened. */
    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        try (ShardContext.Scope scope = RoutedScope.ofApplication()) {
            MethodRoute route = routes.of(call.getMethod());
            return routes.isByStatement(route)
                    ? proceedByStatement(call, route.kind())
                    : proceed(call, route.of(call.getArguments()));
        }
    }

    /** The statement is routed when it is executed: to several shards, for all that is known here, unless it is of the kind of one. */
    private @Nullable Object proceedByStatement(MethodInvocation call, RouteKind kind) throws Throwable {
        if (kind != RouteKind.ONE_SHARD && ShardContext.current().isEmpty()) {
            orderPage(call);
        }
        try {
            return call.proceed();
        } catch (NoShardException e) {
            throw ShardContext.target() == null && !e.isOfValue() ? routes.unroutable(call.getMethod(), e) : e;
        }
    }

    private @Nullable Object proceed(MethodInvocation call, CallTarget target) throws Throwable {
        if (target instanceof CallTarget.PerShard perShard) {
            return new CallPerShard(call, routes.name(call.getMethod())).proceed(perShard);
        }
        Target opened = target instanceof CallTarget.To to ? to.target() : ShardContext.target();
        if (opened instanceof ShardSet) {
            orderPage(call);
        }
        return target instanceof CallTarget.To to
                ? CallScope.proceed(call, to.target(), routes.isOwnCode(call.getMethod()))
                : call.proceed();
    }

    /**
     * A page without an order would overlap with others, since the rows of several shards come in any order. That of a {@code Specification}
     * may have an order of its own; if it has none, pages after the first are refused.
     */
    private void orderPage(MethodInvocation call) {
        @Nullable Object[] arguments = call.getArguments();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof PageRequest page
                    && page.getSort().isUnsorted()
                    && !(arguments[0] instanceof Specification)) {
                arguments[i] = page.withSort(routes.pageOrder(call.getMethod()));
            }
        }
    }

    /**
     * Opens the scope of a call around the query, or around what Spring Data implements. Called last: what belongs to the application, such as
     * listeners of domain events and of transactions, runs outside of the scope.
     */
    static final class CallScope implements MethodInterceptor {
        private static final String OPENING = CallScope.class.getName();

        private record Opening(Target target, boolean ownCode) {}

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
}
