package io.github.shardedid.spring.data;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.util.Streamable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Routes of methods whose first argument contains several ids or entities, possibly of several shards. */
record SeveralValues(MethodName name, Class<?> entity, EntityShards shards) {
    /** All shards at once; in a transaction that may write, or has a snapshot, one shard after the other. */
    CallTarget find(@Nullable Object[] arguments) {
        SortedMap<Integer, List<CallTarget.PlacedValue>> groups =
                groups(arguments, id -> MethodRoute.shardOf(shards.byId(entity), id, false));
        if (groups.size() < 2) {
            return onlyOne(groups);
        }
        boolean within = TransactionSynchronizationManager.isActualTransactionActive()
                && (!TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                        || TransactionSynchronizationManager.getCurrentTransactionIsolationLevel() != null);
        return within ? new CallTarget.PerShard(groups, false) : new CallTarget.To(ShardSet.of(groups.keySet()));
    }

    /** Outside a transaction, in one transaction per shard. */
    CallTarget delete(@Nullable Object[] arguments) {
        return write(groups(arguments, value -> MethodRoute.shardOf(shards.byId(entity), value, true)));
    }

    /** Like {@link #delete}. Invalid entities are left to Hibernate, which refuses them before anything is written. */
    CallTarget save(@Nullable Object[] arguments) {
        // In a scope or a transaction, Hibernate routes each row, and refuses a second shard.
        if (ShardContext.current().isPresent() || TransactionSynchronizationManager.isActualTransactionActive()) {
            return CallTarget.AS_IT_IS;
        }
        try {
            return write(groups(arguments, shards::shardOf));
        } catch (ShardedIdException complaint) {
            return CallTarget.AS_IT_IS;
        }
    }

    private CallTarget write(SortedMap<Integer, List<CallTarget.PlacedValue>> groups) {
        if (groups.size() < 2) {
            return onlyOne(groups);
        } else if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new SecondWriteShardException(name + " got rows of the shards " + groups.keySet()
                    + ", but a transaction writes to one shard. Call it outside a transaction, to use one transaction per"
                    + " shard, or call it once per shard in separate transactions. Nothing was sent.");
        }
        return new CallTarget.PerShard(groups, true);
    }

    private static CallTarget onlyOne(SortedMap<Integer, List<CallTarget.PlacedValue>> groups) {
        return groups.isEmpty() ? CallTarget.AS_IT_IS : CallTarget.to(groups.firstKey());
    }

    /** The values by shard, without those that have none. An argument that may be readable only once is replaced by a list. */
    private static SortedMap<Integer, List<CallTarget.PlacedValue>> groups(
            @Nullable Object[] arguments, Function<Object, @Nullable Integer> rule) {
        SortedMap<Integer, List<CallTarget.PlacedValue>> groups = new TreeMap<>();
        if (arguments[0] instanceof Iterable<?> values) {
            if (!(values instanceof Collection)) {
                values = Streamable.of(values).toList();
                arguments[0] = values;
            }
            int position = 0;
            for (@Nullable Object value : values) {
                Integer shard = value == null ? null : rule.apply(value);
                if (value != null && shard != null) {
                    groups.computeIfAbsent(shard, first -> new ArrayList<>())
                            .add(new CallTarget.PlacedValue(position, value));
                }
                position++;
            }
        }
        return groups;
    }
}
