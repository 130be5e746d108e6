package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.SessionShardException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shards of the rows that one session knows, of entities whose ids name none. Used by one thread, as the session is. */
final class SessionRows {
    /** By root table and id. */
    private final Map<Row, Integer> shards = new HashMap<>();

    /** The only shard of which the session has rows, by root table. */
    private final Map<String, Integer> only = new HashMap<>();

    private record Row(String table, Object id) {}

    @Nullable
    Integer find(ShardedMapping mapping, Object id) {
        return shards.get(new Row(mapping.table(), id));
    }

    void put(ShardedMapping mapping, Object id, int shard) {
        shards.put(new Row(mapping.table(), id), shard);
    }

    void remove(ShardedMapping mapping, Object id) {
        shards.remove(new Row(mapping.table(), id));
    }

    void clear() {
        shards.clear();
        only.clear();
    }

    /** Refuses a second shard if two rows of the entity may have the same id. */
    void keepToOne(ShardedMapping mapping, int shard) {
        if (mapping.ownId() != ShardedMapping.Uniqueness.SHARD) {
            return;
        }
        Integer known = only.putIfAbsent(mapping.table(), shard);
        if (known != null && known != shard) {
            throw new SessionShardException("The session has rows of " + mapping.entityName() + " in shard " + known
                    + ", and was asked for one in shard " + shard
                    + ". The ids of the entity are unique only within a shard, so Hibernate could take rows of two shards"
                    + " for one. Call EntityManager.clear() before, or use one session (transaction) for each shard.");
        }
    }
}
