package io.github.shardedid.routing.internal;

import io.github.shardedid.topology.CommonSchemas;
import org.jspecify.annotations.Nullable;

/**
 * The search path of a session: while a statement runs it names that statement's schema or none, never another one, and always
 * the common schemas. From PostgreSQL 18 on the server reports the path; before, it is known from what was set, until something
 * ran that may have changed it.
 *
 * <p>A session behind a pooler is another one in each transaction. There the path is set for a transaction only, and it is the
 * role's own path otherwise. Used by whoever holds the physical connection, hence by one thread at a time.
 */
final class SessionPath {
    private static final String NO_SCHEMA = "";

    private final String common;
    private final String base;
    private final boolean pooled;

    /** The schema that the path names; null if that is not known. */
    private @Nullable String schema = NO_SCHEMA;

    private boolean doubtful;
    private boolean uncommitted;

    SessionPath(String common, boolean pooled) {
        this.common = common;
        this.base = CommonSchemas.path(common);
        this.pooled = pooled;
    }

    /** Whether the session behind the connection may be another one in each transaction. */
    boolean isPooled() {
        return pooled;
    }

    /**
     * What has to be sent before a statement, or null if the path is right as it is.
     *
     * @param wanted the statement's schema; null if it has several
     * @param dependent whether the statement has names that mean the schema by the path; else the path may also name no schema
     * @param reported the path as the server reports it, or null if it does not
     */
    @Nullable
    String correction(@Nullable String wanted, boolean dependent, boolean inTransaction, @Nullable String reported) {
        if (pooled && !inTransaction) {
            return null;
        }
        boolean right = (reported == null || pooled) ? isKnown(wanted, dependent) : is(reported, wanted, dependent);
        return right
                ? null
                : (pooled ? "SET LOCAL search_path TO " : "SET search_path TO ")
                        + (dependent && wanted != null ? CommonSchemas.path(wanted, common) : base);
    }

    private boolean is(String reported, @Nullable String wanted, boolean dependent) {
        return (!dependent && reported.equals(base))
                || (wanted != null && reported.equals(CommonSchemas.path(wanted, common)));
    }

    private boolean isKnown(@Nullable String wanted, boolean dependent) {
        return dependent
                ? wanted != null && wanted.equals(schema) && !doubtful
                : NO_SCHEMA.equals(schema) || (wanted != null && wanted.equals(schema));
    }

    /** The correction was sent. */
    void corrected(@Nullable String wanted, boolean dependent, boolean inTransaction) {
        schema = dependent && wanted != null ? wanted : NO_SCHEMA;
        doubtful = false;
        uncommitted = inTransaction;
    }

    /** Something ran that may have changed the path. */
    void forget() {
        schema = null;
    }

    /** Something ran that changes the path if a trigger does: what depends on the path does not rely on it. */
    void doubt() {
        doubtful = true;
    }

    void committed() {
        if (pooled) {
            schema = NO_SCHEMA;
        }
        uncommitted = false;
    }

    void rolledBack() {
        rolledBackToSavepoint();
        committed();
    }

    void rolledBackToSavepoint() {
        if (uncommitted) {
            schema = null;
        }
    }
}
