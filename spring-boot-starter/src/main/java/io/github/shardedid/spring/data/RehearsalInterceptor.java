package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Notifies of the calls of a repository of an application without shards that would be refused. All calls proceed.
 *
 * @param refused receives the method and the message
 */
record RehearsalInterceptor(MethodRoutes routes, BiConsumer<String, String> refused) implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        MethodRoute route = routes.of(call.getMethod());
        // What own code calls, and a statement that is routed itself, are observed there.
        if (route.kind() == RouteKind.OWN_CODE || route instanceof MethodRoute.ByStatement) {
            return call.proceed();
        }
        String refusal = refusal(route, call.getArguments());
        if (refusal != null) {
            refused.accept(routes.name(call.getMethod()).toString(), refusal);
        }
        Target scope = scope(route.kind(), refusal != null);
        if (scope == null) {
            return call.proceed();
        }
        try (ShardContext.Scope opened = RoutedScope.open(scope)) {
            return call.proceed();
        }
    }

    /** The scope of the statements of a call: which shard it is means nothing. A call that would be refused has none to judge. */
    private static @Nullable Target scope(RouteKind kind, boolean refused) {
        return switch (kind) {
            case GLOBAL -> Target.global();
            case ALL_SHARDS, SHARDS_OF_LIST, SHARDS_OF_CONDITION -> ShardSet.all();
            case NEEDS_SCOPE -> refused ? Target.shard(0) : null;
            default -> Target.shard(0);
        };
    }

    /** The rows have ids without shards, so a target means nothing; only what determines none is refused. */
    private static @Nullable String refusal(MethodRoute route, @Nullable Object[] arguments) {
        if (route.kind() == RouteKind.SHARD_OF_EACH_ROW) {
            return null;
        }
        try {
            route.of(arguments);
            return null;
        } catch (NoShardException | ShardKeyException refused) {
            return refused.getMessage();
        } catch (RuntimeException other) {
            return route.kind() == RouteKind.REFUSED ? other.getMessage() : null;
        }
    }
}
