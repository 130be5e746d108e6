package io.github.shardedid.routing.internal;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a session of a database: how long it is there, and its search path as far as that is certain. A SET
 * inside a transaction is certain for that transaction, and for later ones only once it has committed: a rollback takes it
 * back, also one to a savepoint. Used by whoever holds the physical connection, hence by one thread at a time.
 */
final class Session {
    /** It may be older. */
    private final long firstSeen = System.nanoTime();

    private @Nullable String schema;
    private boolean uncommitted;
    private boolean checked;
    private @Nullable Boolean readCommitted;

    boolean isOpenSince(long nanos) {
        return nanos - firstSeen >= 0;
    }

    /** Whether it is known to belong to the right server. */
    boolean isChecked() {
        return checked;
    }

    void checked() {
        checked = true;
    }

    /** Whether its transactions are READ COMMITTED unless told otherwise; null if that is not known yet. */
    @Nullable
    Boolean isReadCommitted() {
        return readCommitted;
    }

    void setReadCommitted(boolean known) {
        readCommitted = known;
    }

    boolean is(String other) {
        return other.equals(schema);
    }

    void set(String newSchema, boolean inTransaction) {
        schema = newSchema;
        uncommitted = inTransaction;
    }

    /** Someone else may have set it. */
    void forget() {
        schema = null;
    }

    void committed() {
        uncommitted = false;
    }

    /** After a rollback, whole or to a savepoint. */
    void rolledBack() {
        if (uncommitted) {
            schema = null;
        }
    }
}
