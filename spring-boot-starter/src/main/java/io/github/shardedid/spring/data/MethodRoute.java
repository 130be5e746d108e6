package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.UnknownShardException;
import org.jspecify.annotations.Nullable;

/** The route of the calls of one repository method, determined once per method. Safe for use by several threads. */
@FunctionalInterface
interface MethodRoute {
    /** The call proceeds unchanged, since Hibernate routes each row. */
    MethodRoute BY_ROW = of(RouteKind.SHARD_OF_EACH_ROW, arguments -> CallTarget.AS_IT_IS);

    /** The call proceeds unchanged, since it is code of the application. */
    MethodRoute OWN_CODE = of(RouteKind.OWN_CODE, arguments -> CallTarget.AS_IT_IS);

    /** The global database. */
    MethodRoute GLOBAL = of(RouteKind.GLOBAL, arguments -> new CallTarget.To(Target.global()));

    CallTarget of(@Nullable Object[] arguments);

    default RouteKind kind() {
        return RouteKind.ONE_SHARD;
    }

    /** A route of another kind than that of one shard. */
    static MethodRoute of(RouteKind kind, MethodRoute route) {
        record OfKind(RouteKind kind, MethodRoute route) implements MethodRoute {
            @Override
            public CallTarget of(@Nullable Object[] arguments) {
                return route.of(arguments);
            }
        }
        return new OfKind(kind, route);
    }

    /** Returns the shard of a value by a rule; null for a read by an id that no shard can have generated, which finds nothing. */
    static @Nullable Integer shardOf(ShardRule rule, Object value, boolean write) {
        try {
            return rule.shardOf(value);
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            if (write) {
                throw noSuchRow;
            }
            return null;
        }
    }

    /**
     * The route of a query whose condition determines its shards: the statement is routed when it is executed.
     *
     * @param kind what the condition requires
     */
    record ByStatement(RouteKind kind) implements MethodRoute {
        @Override
        public CallTarget of(@Nullable Object[] arguments) {
            return CallTarget.AS_IT_IS;
        }
    }

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
}
