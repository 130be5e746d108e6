package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs each call of a repository's method in the scope of the shard, or the shards, that the call tells. Ahead of the
 * transaction.
 */
final class ShardRoutingInterceptor implements MethodInterceptor {
    private final MethodRoutes routes;

    ShardRoutingInterceptor(MethodRoutes routes) {
        this.routes = routes;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Destination destination = routes.of(call.getMethod()).of(call.getArguments());
        if (destination instanceof Destination.ToShard to) {
            try (ShardContext.Scope scope = ShardContext.open(to.shard())) {
                return call.proceed();
            }
        }
        if (destination instanceof Destination.ToShards to) {
            return inShards(call, to.shards());
        }
        if (destination instanceof Destination.PerShard perShard) {
            return new CallPerShard(call, routes.name(call.getMethod())).proceed(perShard);
        }
        return destination instanceof Destination.ToNothing nothing
                ? NothingFound.by(call.getMethod(), call.getArguments(), nothing.why())
                : call.proceed();
    }

    private static @Nullable Object inShards(MethodInvocation call, ShardSet shards) throws Throwable {
        try (ShardContext.Scope scope = ShardContext.open(shards)) {
            return call.proceed();
        }
    }
}
