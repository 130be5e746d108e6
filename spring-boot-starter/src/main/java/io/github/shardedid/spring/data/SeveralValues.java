package io.github.shardedid.spring.data;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The routes of the methods whose first argument is several ids or entities, which may belong to several shards. */
record SeveralValues(MethodName name, EntityShards shards) {
    /** All shards of the ids at once; in a transaction that may write, or has a snapshot, one by one within it. */
    Destination find(@Nullable Object[] arguments) {
        Groups groups = groups(arguments, id -> MethodRoute.byValue(shards.byId(), id, false));
        if (groups.values.size() < 2) {
            return groups.onlyOne();
        }
        boolean within = TransactionSynchronizationManager.isActualTransactionActive()
                && (!TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                        || TransactionSynchronizationManager.getCurrentTransactionIsolationLevel() != null);
        return within
                ? new Destination.PerShard(groups.values, false)
                : new Destination.ToShards(ShardSet.of(groups.values.keySet()));
    }

    /** Outside a transaction, a transaction for each shard. */
    Destination delete(@Nullable Object[] arguments) {
        return write(groups(arguments, value -> MethodRoute.byValue(shards.byId(), value, true)));
    }

    /** As {@link #delete}; what Hibernate complains about, it shall complain about itself, before anything is written. */
    Destination save(@Nullable Object[] arguments) {
        // Within a scope or a transaction, Hibernate knows where each row belongs, and refuses a second shard.
        if (ShardContext.current().isPresent() || TransactionSynchronizationManager.isActualTransactionActive()) {
            return Destination.AS_IT_IS;
        }
        try {
            return write(groups(arguments, entity -> new Destination.ToShard(shards.shardOf(entity))));
        } catch (ShardedIdException complaint) {
            return Destination.AS_IT_IS;
        }
    }

    private Destination write(Groups groups) {
        if (groups.values.size() < 2) {
            return groups.onlyOne();
        }
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new SecondWriteShardException(name + " got rows of the shards " + groups.values.keySet()
                    + ", but a transaction writes to one shard. Call it outside a transaction, which makes one for each"
                    + " shard, or once per shard, each in a transaction of its own. Nothing was sent.");
        }
        return new Destination.PerShard(groups.values, true);
    }

    private static Groups groups(@Nullable Object[] arguments, Function<Object, Destination> rule) {
        Groups groups = new Groups();
        if (arguments[0] instanceof Iterable<?> values) {
            int place = 0;
            for (@Nullable Object value : values) {
                groups.add(place++, value, value == null ? Destination.AS_IT_IS : rule.apply(value));
            }
        }
        return groups;
    }

    /** The values by shard. */
    private static final class Groups {
        final SortedMap<Integer, List<Destination.PlacedValue>> values = new TreeMap<>();
        /** Where what belongs to no shard leads. */
        private Destination nowhere = Destination.AS_IT_IS;

        void add(int place, @Nullable Object value, Destination destination) {
            if (value != null && destination instanceof Destination.ToShard to) {
                values.computeIfAbsent(to.shard(), shard -> new ArrayList<>())
                        .add(new Destination.PlacedValue(place, value));
            } else {
                nowhere = destination;
            }
        }

        Destination onlyOne() {
            return values.isEmpty() ? nowhere : new Destination.ToShard(values.firstKey());
        }
    }
}
