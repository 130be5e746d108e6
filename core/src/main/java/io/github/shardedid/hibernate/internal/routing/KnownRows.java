package io.github.shardedid.hibernate.internal.routing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.WrongShardException;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The shards of rows whose ids name none, as far as they are known to sessions, references and entities. Safe for
 * use by several threads.
 *
 * <p>It exists for ids such as UUIDs, which decide nothing. All references are weak: a session that is never
 * closed, or an entity that the application drops, leaves nothing behind.
 */
final class KnownRows {
    /** By identity; a session is used by one thread. */
    final Cache<SharedSessionContractImplementor, SessionRows> sessions =
            Caffeine.newBuilder().weakKeys().build();

    /**
     * Of lazy references and entities, by identity; they may outlive their session. A detached entity that is
     * merged into another session still has its shard here, even if its key was changed meanwhile.
     */
    final Cache<Object, Integer> instances = Caffeine.newBuilder().weakKeys().build();

    /**
     * The shards of the rows that one session knows, of entities whose ids name none. Used by one thread, as the
     * session is.
     *
     * <p>The key of a row is the root table of its entity, since all entities of a hierarchy share their ids.
     */
    static final class SessionRows {
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

        /**
         * Refuses a second shard if two rows of the entity may have the same id.
         *
         * <p>Hibernate's session identifies a row by its type and id, so it could return the row of one shard for
         * that of another one, and write it there.
         *
         * @throws WrongShardException if the session has rows of another shard
         */
        void keepToOne(ShardedMapping mapping, int shard) {
            if (mapping.ownId() != ShardedMapping.Uniqueness.SHARD) {
                return;
            }
            Integer known = only.putIfAbsent(mapping.table(), shard);
            if (known != null && known != shard) {
                throw new WrongShardException(
                        "The session has rows of " + mapping.entityName() + " in shard " + known
                                + ", and was asked for one in shard " + shard
                                + ". The ids of the entity are unique only within a shard, so Hibernate could take rows of two shards"
                                + " for one. Call EntityManager.clear() before, or use one session (transaction) for each shard.");
            }
        }
    }
}
