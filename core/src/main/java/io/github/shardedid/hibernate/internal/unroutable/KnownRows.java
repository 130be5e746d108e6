package io.github.shardedid.hibernate.internal.unroutable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.routing.Sharding;
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
 *
 * @param sessions the known rows of each session, by identity, and by root table, since all entities of a hierarchy share their ids
 * @param instances the shards of lazy references and entities, by identity; they may outlive their session. A detached entity that is
 *     merged into another session still has its shard here, even if its key was changed meanwhile.
 */
record KnownRows(
        Sharding sharding,
        Cache<SharedSessionContractImplementor, Map<String, SessionRows>> sessions,
        Cache<Object, Integer> instances) {
    KnownRows(Sharding sharding) {
        this(
                sharding,
                Caffeine.newBuilder().weakKeys().build(),
                Caffeine.newBuilder().weakKeys().build());
    }

    /** The rows of one table that one session knows. Used by one thread, as the session is. */
    static final class SessionRows {
        /** By id. */
        final Map<Object, Integer> shards = new HashMap<>();

        /** The only shard of which the session has rows, if two rows may have the same id; null before it has any. */
        @Nullable
        Integer only;
    }

    SessionRows in(SharedSessionContractImplementor session, String table) {
        return sessions.get(session, none -> new HashMap<>()).computeIfAbsent(table, none -> new SessionRows());
    }
}
