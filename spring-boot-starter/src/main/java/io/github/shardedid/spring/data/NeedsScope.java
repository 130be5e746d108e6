package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.spring.data.report.RouteKind;
import org.jspecify.annotations.Nullable;

/**
 * The route of a method whose calls do not determine a shard: that of the open scope. Safe for use by several threads.
 *
 * @param why why not, for messages
 */
record NeedsScope(MethodName name, String why) implements MethodRoute {
    @Override
    public CallTarget of(@Nullable Object[] arguments) {
        if (ShardContext.current().isEmpty() && ShardContext.currentSet().isEmpty()) {
            throw name.unroutable(why);
        }
        return CallTarget.AS_IT_IS;
    }

    @Override
    public RouteKind kind() {
        return RouteKind.NEEDS_SCOPE;
    }
}
