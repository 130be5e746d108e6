package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.unique.Claim;
import io.github.shardedid.hibernate.internal.unique.Claims;
import java.util.List;
import java.util.Set;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
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
        List<Claim> left = claims.stream()
                .filter(claim -> flushed == null || !flushed.isOf(session) || !flushed.claims.contains(claim))
                .toList();
        if (!left.isEmpty()) {
            new Claims(sharding.dataSource(), session).take(shard, left);
        }
    }
}
