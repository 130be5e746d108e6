package io.github.shardedid.hibernate.internal.persister;

import org.hibernate.event.spi.EventSource;
import org.jspecify.annotations.Nullable;

/**
 * What a thread does in a session of Hibernate: a flush, or the save of a row. Hibernate passes from one of its calls to the next one within it
 * nothing but the thread. Work begins and ends in the order of a stack.
 */
abstract class ThreadWork {
    /** A thread works with one session at a time, but a listener may use another one within. */
    private static final ThreadLocal<@Nullable ThreadWork> INNERMOST = new ThreadLocal<>();

    final EventSource session;
    final @Nullable ThreadWork outer;

    ThreadWork(EventSource session) {
        this.session = session;
        this.outer = INNERMOST.get();
    }

    static @Nullable ThreadWork innermost() {
        return INNERMOST.get();
    }

    /** Makes this the innermost work, until it {@linkplain #end ends}, or the call does {@linkplain #within in which} it has begun. */
    void begin() {
        INNERMOST.set(this);
    }

    /** Null stays, since removing it would cost each row. */
    void end() {
        INNERMOST.set(outer);
    }

    /** Calls what may begin work, which ends with the call, also if it fails. */
    static void within(Runnable call) {
        ThreadWork before = INNERMOST.get();
        try {
            call.run();
        } finally {
            INNERMOST.set(before);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a session equals only itself
    boolean isOf(EventSource other) {
        return session == other;
    }
}
