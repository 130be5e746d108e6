package io.github.shardedid.routing.internal.session;

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
public final class SessionPath {
    private static final String NO_SCHEMA = "";

    private final String common;
    /** The session behind the connection may be another one in each transaction. */
    public final boolean pooled;

    /** The schema that the path names; null if that is not known. */
    private @Nullable String schema = NO_SCHEMA;

    /** What it names after the correction. */
    private String corrected = NO_SCHEMA;

    private boolean doubtful;
    private boolean uncommitted;

    /** The schema of the last statement, if that depended on the path; else null. */
    private @Nullable String last;

    /** The schema of the last statement of this transaction that depended on the path. */
    private @Nullable String dependedOn;

    /** Whether statements of another schema have depended on the path in this transaction. */
    private boolean several;

    /** The schema in which a statement that depended on the path has written, in this transaction. */
    private @Nullable String written;

    SessionPath(String common, boolean pooled) {
        this.common = common;
        this.pooled = pooled;
    }

    /**
     * What has to be sent before a statement, or null if the path is right as it is.
     *
     * @param wanted the statement's schema; null if it has several
     * @param dependent whether the statement has names that mean the schema by the path; else the path may also name no schema
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

    /** Behind a pooler, in autocommit: it holds for the text that it begins. There SET LOCAL would give a warning. */
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

    /** The correction was sent. */
    public void corrected(boolean inTransaction) {
        schema = corrected;
        doubtful = false;
        uncommitted = inTransaction;
    }

    /** Whether a statement of another schema has depended on the path in this transaction. */
    public boolean leaves(@Nullable String wanted) {
        return several || (dependedOn != null && !dependedOn.equals(wanted));
    }

    /** A statement is about to run. */
    public void used(@Nullable String wanted, boolean dependent, boolean inTransaction) {
        last = dependent ? wanted : null;
        if (dependent && inTransaction) {
            several |= leaves(wanted);
            dependedOn = wanted;
        }
    }

    /** The last statement has written. */
    public void wrote() {
        written = last == null ? written : last;
    }

    /** The last statement may have written, which it can in the transaction's own shard only. */
    public void mayHaveWritten() {
        written = written == null ? last : written;
    }

    /** What has to be sent before a commit, or null: the path must not name a schema that was not written to. */
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

    /** Something ran that may have changed the path. */
    public void forget() {
        schema = null;
    }

    /** Something ran that changes the path if a trigger does: what depends on the path does not rely on it. */
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
