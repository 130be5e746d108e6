package io.github.shardedid.spring.data;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.util.Streamable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Routes of methods whose first argument contains several ids or entities, possibly of several shards.
 *
 * @param transaction the one that the calls join
 */
record SeveralValues(MethodName name, Class<?> entity, EntityShards shards, OpenTransaction transaction) {
    /** All shards at once; in a transaction that may write, or has a snapshot, one shard after the other. */
    CallTarget find(@Nullable Object[] arguments) {
        Groups groups = groups(arguments, id -> MethodRoute.byValue(shards.byId(entity), id, false));
        if (groups.values.size() < 2) {
            return groups.onlyOne();
        }
        boolean within = transaction.isActive()
                && (!TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                        || TransactionSynchronizationManager.getCurrentTransactionIsolationLevel() != null);
        return within
                ? new CallTarget.PerShard(groups.values, false)
                : new CallTarget.ToShards(ShardSet.of(groups.values.keySet()));
    }

    /** Outside a transaction, in one transaction per shard. */
    CallTarget delete(@Nullable Object[] arguments) {
        return write(groups(arguments, value -> MethodRoute.byValue(shards.byId(entity), value, true)));
    }

    /** Like {@link #delete}. Invalid entities are left to Hibernate, which refuses them before anything is written. */
    CallTarget save(@Nullable Object[] arguments) {
        // In a scope or a transaction, Hibernate routes each row, and refuses a second shard.
        if (ShardContext.current().isPresent() || transaction.isActive()) {
            return CallTarget.AS_IT_IS;
        }
        try {
            return write(groups(arguments, entity -> new CallTarget.ToShard(shards.shardOf(entity))));
        } catch (ShardedIdException complaint) {
            return CallTarget.AS_IT_IS;
        }
    }

    private CallTarget write(Groups groups) {
        if (groups.values.size() < 2) {
            return groups.onlyOne();
        }
        if (transaction.isActive()) {
            throw new SecondWriteShardException(name + " got rows of the shards " + groups.values.keySet()
                    + ", but a transaction writes to one shard. Call it outside a transaction, to use one transaction per"
                    + " shard, or call it once per shard in separate transactions. Nothing was sent.");
        }
        return new CallTarget.PerShard(groups.values, true);
    }

    private Groups groups(@Nullable Object[] arguments, Function<Object, CallTarget> rule) {
        Groups groups = new Groups();
        if (read(name.method(), arguments, 0) instanceof Iterable<?> values) {
            int position = 0;
            for (@Nullable Object value : values) {
                groups.add(position++, value, value == null ? CallTarget.AS_IT_IS : rule.apply(value));
            }
        }
        return groups;
    }

    /** The values by shard. */
    private static final class Groups {
        final SortedMap<Integer, List<CallTarget.PlacedValue>> values = new TreeMap<>();
        /** Target of values without a shard. */
        private CallTarget withoutShard = CallTarget.AS_IT_IS;

        void add(int position, @Nullable Object value, CallTarget target) {
            if (value != null && target instanceof CallTarget.ToShard to) {
                values.computeIfAbsent(to.shard(), shard -> new ArrayList<>())
                        .add(new CallTarget.PlacedValue(position, value));
            } else {
                withoutShard = target;
            }
        }

        CallTarget onlyOne() {
            return values.isEmpty() ? withoutShard : new CallTarget.ToShard(values.firstKey());
        }
    }

    /**
     * Replaces an argument that may be readable only once by a list of its elements, if the type of the parameter allows it.
     *
     * @param method the method that is called
     * @param arguments its arguments
     * @param index the parameter, from 0
     * @return the argument, which can be read more than once
     */
    public static @Nullable Object read(Method method, @Nullable Object[] arguments, int index) {
        Object argument = arguments[index];
        if (argument instanceof Iterable<?> elements && !(argument instanceof Collection)) {
            Class<?> type = method.getParameterTypes()[index];
            if (type.isAssignableFrom(ArrayList.class)) {
                arguments[index] = copy(elements);
            } else if (type == Streamable.class) {
                arguments[index] = Streamable.of(copy(elements));
            }
        }
        return arguments[index];
    }

    private static List<Object> copy(Iterable<?> elements) {
        List<Object> copy = new ArrayList<>();
        elements.forEach(copy::add);
        return copy;
    }
}
