package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.spring.data.fluent.OrderedFluentQuery;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.PageRequest;

/**
 * Runs each call of a repository method in the scope of its target. Called before the transaction interceptor.
 */
final class ShardRoutingInterceptor implements MethodInterceptor {
    private final MethodRoutes routes;

    ShardRoutingInterceptor(MethodRoutes routes) {
        this.routes = routes;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        CallTarget target = routes.of(call.getMethod()).of(call.getArguments());
        if (target instanceof CallTarget.ToShard to) {
            return within(ShardContext.open(to.shard()), call);
        }
        if (target instanceof CallTarget.ToShards to) {
            orderPage(call);
            return within(ShardContext.open(to.shards()), call);
        }
        if (target instanceof CallTarget.PerShard perShard) {
            return new CallPerShard(call, routes.name(call.getMethod())).proceed(perShard);
        }
        if (ShardContext.currentSet().isPresent()) {
            orderPage(call);
        }
        return target instanceof CallTarget.ToNothing nothing
                ? NothingFound.by(call.getMethod(), call.getArguments(), nothing.why())
                : call.proceed();
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

    private static @Nullable Object within(ShardContext.Scope scope, MethodInvocation call) throws Throwable {
        try (scope) {
            return call.proceed();
        }
    }
}
