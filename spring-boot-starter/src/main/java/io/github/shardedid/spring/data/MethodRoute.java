package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** The route of the calls of one repository method, determined once per method. Safe for use by several threads. */
@FunctionalInterface
interface MethodRoute {
    /** The call proceeds unchanged, since Hibernate routes each row. */
    MethodRoute BY_ROW = of(RouteKind.SHARD_OF_EACH_ROW, arguments -> CallTarget.AS_IT_IS);

    /** The call proceeds unchanged, since it is code of the application. */
    MethodRoute OWN_CODE = of(RouteKind.OWN_CODE, arguments -> CallTarget.AS_IT_IS);

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

    /**
     * Returns the target of a value by a rule. An id that no shard can have generated is "not found" for a read, an error for a
     * write.
     */
    static CallTarget byValue(ShardRule rule, Object value, boolean write) {
        try {
            return new CallTarget.ToShard(rule.shardOf(value));
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            if (write) {
                throw noSuchRow;
            }
            return new CallTarget.ToNothing(noSuchRow);
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

    /**
     * The route of a query whose rows each have one of the ids or shard keys of a list: the shards of these values, of which a
     * method that writes may have one only. In a scope of several shards, the query asks these instead. Safe for use by several threads.
     *
     * @param index the parameter with the list, from 0
     * @param meaning what the values are compared with, for messages
     * @param rule determines the shard of each value
     */
    record ListRoute(MethodName name, int index, String meaning, ShardRule rule) implements MethodRoute {
        /** Returns whether the values of a parameter are known: those of a list or an array, or the only one. */
        static boolean accepts(Class<?> type, ShardRule rule) {
            return Iterable.class.isAssignableFrom(type) || type.isArray() || rule.accepts(type);
        }

        @Override
        public CallTarget of(@Nullable Object[] arguments) {
            Object list = SeveralValues.read(name.method(), arguments, index);
            if (list == null) {
                throw new ShardKeyException(name + " was called with null for the list of " + meaning
                        + ", which determines no shards. Pass a list. Nothing was sent.");
            } else if (!name.writes() && ShardContext.currentSet().isPresent()) {
                return CallTarget.AS_IT_IS;
            }
            SortedSet<Integer> shards = new TreeSet<>();
            RuntimeException nothing = null;
            for (Object value : values(list).toList()) {
                CallTarget target = MethodRoute.byValue(rule, value, name.writes());
                if (target instanceof CallTarget.ToShard to) {
                    shards.add(to.shard());
                } else if (target instanceof CallTarget.ToNothing none) {
                    nothing = none.why();
                }
            }
            if (name.writes()) {
                return write(shards);
            }
            if (shards.isEmpty()) {
                return new CallTarget.ToNothing(
                        nothing == null ? name.unroutable("its list of " + meaning + " is empty.") : nothing);
            }
            return shards.size() == 1
                    ? new CallTarget.ToShard(shards.first())
                    : new CallTarget.ToShards(ShardSet.of(shards));
        }

        private CallTarget write(SortedSet<Integer> shards) {
            if (shards.size() > 1) {
                throw new SecondWriteShardException(name + " got " + meaning + " of the shards " + shards
                        + ", but a transaction writes to one shard. Call it once per shard, with the values of that shard, each"
                        + " in a transaction of its own. Nothing was sent.");
            }
            return shards.isEmpty() ? CallTarget.AS_IT_IS : new CallTarget.ToShard(shards.first());
        }

        @Override
        public RouteKind kind() {
            return name.writes() ? RouteKind.ONE_SHARD : RouteKind.SHARDS_OF_LIST;
        }

        /** Without nulls, which equal no value of a row. */
        private static Stream<?> values(Object list) {
            if (list instanceof Collection<?> collection) {
                return collection.stream().filter(value -> value != null);
            } else if (list instanceof Iterable<?> iterable) {
                return StreamSupport.stream(iterable.spliterator(), false).filter(value -> value != null);
            }
            Stream<?> all = list.getClass().isArray() ? Stream.of(ObjectUtils.toObjectArray(list)) : Stream.of(list);
            return all.filter(value -> value != null);
        }
    }
}
