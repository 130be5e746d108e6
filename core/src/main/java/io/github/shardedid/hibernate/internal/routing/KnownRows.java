package io.github.shardedid.hibernate.internal.routing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The shards of rows whose ids name none, as far as they are known to sessions, references and entities. Safe for use by several threads. */
final class KnownRows {
    /** By identity; a session is used by one thread. */
    private final Cache<SharedSessionContractImplementor, SessionRows> sessions =
            Caffeine.newBuilder().weakKeys().build();

    /** Of lazy references and entities, by identity; they may outlive their session. */
    private final Cache<Object, Integer> instances =
            Caffeine.newBuilder().weakKeys().build();

    SessionRows of(SharedSessionContractImplementor session) {
        return sessions.get(session, none -> new SessionRows());
    }

    void forget(SharedSessionContractImplementor session) {
        sessions.invalidate(session);
    }

    @Nullable
    Integer find(Object instance) {
        return instances.getIfPresent(instance);
    }

    void put(Object instance, int shard) {
        instances.put(instance, shard);
    }

    void remove(Object instance) {
        instances.invalidate(instance);
    }
}
