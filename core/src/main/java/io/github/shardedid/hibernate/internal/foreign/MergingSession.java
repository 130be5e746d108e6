package io.github.shardedid.hibernate.internal.foreign;

import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The session that merges entities on the current thread, for types, which Hibernate does not tell it. */
public final class MergingSession {
    private static final ThreadLocal<@Nullable SharedSessionContractImplementor> CURRENT = new ThreadLocal<>();

    private MergingSession() {}

    static @Nullable SharedSessionContractImplementor current() {
        return CURRENT.get();
    }

    /** Sets the session; null after the merge. */
    public static void set(@Nullable SharedSessionContractImplementor session) {
        if (session == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(session);
        }
    }
}
