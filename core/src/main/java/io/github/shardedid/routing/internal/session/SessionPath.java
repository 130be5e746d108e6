package io.github.shardedid.routing.internal.session;

import io.github.shardedid.topology.CommonSchemas;
import org.jspecify.annotations.Nullable;

/**
 * The search path of a session: while a statement runs it names that statement's schema or none, never another
 * one, and always the common schemas. Used by the routed connection that holds the session, hence by one thread
 * at a time.
 *
 * <p>From PostgreSQL 18 on the server reports the path; before, it is known from what was set, until something
 * ran that may have changed it. For each statement:
 *
 * <ol>
 *   <li>{@link #correction} compares the path with what the statement needs, and returns what sets it.
 *   <li>After that was sent, {@link #corrected} notes it.
 *   <li>After the statement, {@link #forget} or {@link #doubt} note what it may have done to the path, and
 *       {@link #wrote} where it has written.
 *   <li>Before the commit, {@link #correctionForCommit} returns to the schema that was written, whose deferred
 *       triggers run then.
 * </ol>
 *
 * <p>A session behind a pooler is another one in each transaction. There the path is set for a transaction
 * only, and it is the role's own path otherwise.
 */
public final class SessionPath {
    /** The path with the common schemas only. */
    private static final String NO_SCHEMA = "";

    private final String common;
    /** True if the session behind the connection may be another one in each transaction. */
    public final boolean pooled;

    /** The schema that the path names, or {@link #NO_SCHEMA}; null if that is not known. */
    private @Nullable String schema = NO_SCHEMA;

    /** The schema that it names after the last correction. */
    private String corrected = NO_SCHEMA;

    /**
     * True if a trigger may have changed the path. Only a statement that depends on the path needs it corrected
     * then.
     */
    private boolean doubtful;
    /** True if the path was set in a transaction, whose rollback takes it back. */
    private boolean uncommitted;

    /** The schema of the last statement, if that depended on the path; else null. */
    private @Nullable String last;

    /** The schema of the last statement of this transaction that depended on the path. */
    private @Nullable String dependedOn;

    /** True if statements of several schemas have depended on the path in this transaction. */
    private boolean several;

    /** The schema in which a statement that depended on the path has written, in this transaction. */
    private @Nullable String written;

    SessionPath(String common, boolean pooled) {
        this.common = common;
        this.pooled = pooled;
    }

    /**
     * Returns what has to be sent before a statement, or null if the path is right as it is.
     *
     * @param wanted the statement's schema; null if it has several
     * @param dependent whether the statement has names that mean the schema by the path; else the path may also
     *     name no schema
     * @param reported the path as the server reports it, or null if it does not
     */
    @Nullable
    public String correction(
            @Nullable String wanted, boolean dependent, boolean inTransaction, @Nullable String reported) {
        if (pooled && !inTransaction) {
            corrected = NO_SCHEMA;
            return dependent && wanted != null ? forStatement(CommonSchemas.path(wanted, common)) : null;
        }
        boolean right = (reported == null || pooled) ? isKnown(wanted, dependent) : is(reported, wanted, dependent);
        if (right) {
            return null;
        }
        corrected = dependent && wanted != null ? wanted : NO_SCHEMA;
        return naming(dependent ? wanted : null);
    }

    /**
     * Returns what sets the path behind a pooler, in autocommit, for the text that it begins. There SET LOCAL
     * would give a warning.
     */
    private static String forStatement(String path) {
        return "SELECT pg_catalog.set_config('search_path', '" + path.replace("'", "''") + "', true)";
    }

    private String naming(@Nullable String named) {
        return (pooled ? "SET LOCAL search_path TO " : "SET search_path TO ")
                + (named == null ? common : CommonSchemas.path(named, common));
    }

    private boolean is(String reported, @Nullable String wanted, boolean dependent) {
        return (!dependent && reported.equals(common))
                || (wanted != null && reported.equals(CommonSchemas.path(wanted, common)));
    }

    private boolean isKnown(@Nullable String wanted, boolean dependent) {
        return dependent
                ? wanted != null && wanted.equals(schema) && !doubtful
                : NO_SCHEMA.equals(schema) || (wanted != null && wanted.equals(schema));
    }

    /** Notes that the correction was sent. */
    public void corrected(boolean inTransaction) {
        schema = corrected;
        doubtful = false;
        uncommitted = inTransaction;
    }

    /** Returns whether a statement of another schema has depended on the path in this transaction. */
    public boolean leaves(@Nullable String wanted) {
        return several || (dependedOn != null && !dependedOn.equals(wanted));
    }

    /** Notes that a statement is about to run. */
    public void used(@Nullable String wanted, boolean dependent, boolean inTransaction) {
        last = dependent ? wanted : null;
        if (dependent && inTransaction) {
            several |= leaves(wanted);
            dependedOn = wanted;
        }
    }

    /** Notes that the last statement has written. */
    public void wrote() {
        written = last == null ? written : last;
    }

    /** Notes that the last statement may have written, which it can in the transaction's own shard only. */
    public void mayHaveWritten() {
        written = written == null ? last : written;
    }

    /**
     * Returns what has to be sent before a commit, or null: the path must not name a schema that was not
     * written to.
     */
    @Nullable
    public String correctionForCommit(@Nullable String reported) {
        if (dependedOn == null
                || written == null
                || (!several && dependedOn.equals(written))
                || correction(written, false, true, reported) == null) {
            return null;
        }
        schema = null;
        return naming(written);
    }

    /** Notes that something ran that may have changed the path. */
    public void forget() {
        schema = null;
    }

    /**
     * Notes that something ran that changes the path if a trigger does: what depends on the path does not rely
     * on it.
     */
    public void doubt() {
        doubtful = true;
    }

    public void committed() {
        if (pooled) {
            schema = NO_SCHEMA;
        }
        uncommitted = false;
        several = false;
        dependedOn = null;
        written = null;
    }

    public void rolledBack() {
        rolledBackToSavepoint();
        committed();
    }

    public void rolledBackToSavepoint() {
        if (uncommitted) {
            schema = null;
        }
    }
}
