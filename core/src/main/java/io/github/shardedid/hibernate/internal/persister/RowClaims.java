package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.unique.Claim;
import io.github.shardedid.hibernate.internal.unique.Claims;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Claims the values of rows before they are written: all of a flush at once, by one round trip for each shard of claims, or those of a row when its
 * statement is about to be bound. The latter is for rows of a stateless session, which has no flush, and for values that a listener or an interceptor
 * has changed since the flush was planned.
 */
final class RowClaims {
    /** What the flush has claimed that executes now on this thread, and others within which it does; null outside of a flush. */
    private static final ThreadLocal<@Nullable Flushed> FLUSHED = new ThreadLocal<>();

    private RowClaims() {}

    private record Flushed(SharedSessionContractImplementor session, Set<Claim> claims) {
        @SuppressWarnings("ReferenceEquality") // a session equals only itself
        boolean isOf(SharedSessionContractImplementor other) {
            return session == other;
        }
    }

    /**
     * Adds the claims of a row.
     *
     * @param dirty the indexes of the attributes that are updated; null for all of them
     */
    static void add(
            EntityRouting routing,
            EntityPersister persister,
            Object id,
            @Nullable Object[] state,
            int @Nullable [] dirty,
            SharedSessionContractImplementor session,
            List<Claim> claims) {
        if (!routing.sharding().uniqueKeys().has(routing.entityName())) {
            return;
        }
        for (UniqueKey key : routing.sharding().uniqueKeys().of(persister)) {
            String text = dirty == null || key.isIn(dirty) ? key.textOfState(state, session) : null;
            if (text != null) {
                claims.add(new Claim(key, text, ((Number) id).longValue()));
            }
        }
    }

    /** Claims all values of a flush, and executes it. */
    static void execute(
            Sharding sharding,
            SharedSessionContractImplementor session,
            int shard,
            List<Claim> claims,
            Runnable executions) {
        Flushed outer = FLUSHED.get();
        new Claims(sharding.dataSource(), session).take(shard, claims);
        FLUSHED.set(new Flushed(session, Set.copyOf(claims)));
        try {
            executions.run();
        } finally {
            FLUSHED.set(outer);
        }
    }

    /** Claims those values of a row that its flush has not claimed. The write is declared already. */
    static void take(Sharding sharding, SharedSessionContractImplementor session, int shard, List<Claim> claims) {
        Flushed flushed = FLUSHED.get();
        List<Claim> left = flushed == null || !flushed.isOf(session)
                ? claims
                : claims.stream()
                        .filter(claim -> !flushed.claims.contains(claim))
                        .collect(Collectors.toList());
        if (!left.isEmpty()) {
            new Claims(sharding.dataSource(), session).take(shard, left);
        }
    }
}
