package io.github.shardedid.spring.data;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.call.CallScope;
import io.github.shardedid.spring.data.fluent.OrderedFluentQuery;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.PageRequest;

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
            return proceed(call, routes.of(call.getMethod()).of(call.getArguments()));
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
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof PageRequest page && page.getSort().isUnsorted()) {
                arguments[i] = page.withSort(routes.pageOrder(call.getMethod(), arguments));
            } else if (arguments[i] instanceof Function<?, ?> query
                    && call.getMethod().getName().equals("findBy")) {
                arguments[i] = OrderedFluentQuery.function(query, routes.pageOrder(call.getMethod(), arguments));
            }
        }
    }
}
