package io.github.shardedid.routing.internal.session;

import io.github.shardedid.routing.internal.sql.SqlFile;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PgConnection;

/**
 * The knowledge about a session of a database: since when it is open, its search path, and what names of types
 * mean in it. Used by the routed connection that holds the physical one, hence by one thread at a time.
 *
 * <p>A pool gives the same session to many routed connections, one after the other. What one of them learns
 * holds for the next one. The object does not refer to the connection, which would live as long as what is
 * known of it.
 *
 * <p>While a statement runs, the path names that statement's schema or none, never another one, and always the
 * common schemas. From PostgreSQL 18 on the server reports the path; before, it is known from what was set, until
 * something ran that may have changed it. For each statement:
 *
 * <ol>
 *   <li>{@link #correction} compares the path with what the statement needs, and returns what sets it.
 *   <li>After that was sent, {@link #corrected} notes it.
 *   <li>After the statement, {@link #forgetPath} or {@link #doubtPath} note what it may have done to the path, and
 *       {@link #wrote} where it has written.
 *   <li>Before the commit, {@link #correctionForCommit} returns to the schema that was written, whose deferred
 *       triggers run then.
 * </ol>
 *
 * <p>A session behind a pooler is another one in each transaction. There the path is set for a transaction
 * only, and it is the role's own path otherwise.
 */
public final class Session {
    private static final String STATE = SqlFile.read(Session.class, "session_state.sql");
    private static final Pattern SHARD = Pattern.compile("shard_\\d{4,}.*");
    /** The path with the common schemas only. */
    private static final String NO_SCHEMA = "";

    /** The instant of {@code System.nanoTime} at which the session was seen first. It may be older. */
    private final long firstSeen = System.nanoTime();

    private final CommonSchemas commonSchemas;
    /** Asks the session what its transaction has set. */
    public final SettingCode settingCode;

    private final NameCatalogs names;
    /** The meanings of names of types, by the name with the shard's schema; the driver keeps what it looked up. */
    public final Map<String, String> typeNames = new HashMap<>(0);

    /** The path with the common schemas only; null until {@link #start}. */
    private @Nullable String common;
    /** True if the session behind the connection may be another one in each transaction. */
    public boolean pooled;

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
    /** True if the session is known to belong to the right server. */
    public boolean checked;
    /** True if its transactions are READ COMMITTED by default. */
    public boolean readCommitted;
    /** True if the database stores text in UTF-8, whose bytes have the order of the collation "C". */
    public boolean utf8;

    Session(CommonSchemas commonSchemas, SettingCode settingCode, NameCatalogs names) {
        this.settingCode = settingCode;
        this.commonSchemas = commonSchemas;
        this.names = names;
    }

    /**
     * Sets the search path that names no shard, before the session is used for the first time, and reads the
     * catalog unless that was done just now: one round trip.
     *
     * <p>A pool may have set a path of its own, and another data source may have left one. A session whose
     * process is not the one that greeted the driver is behind a pooler: its path is not set, as the next
     * transaction may have another session, and the role's path must be right.
     *
     * @param connection the session's, in autocommit
     * @param driver the driver's own connection, which knows the process that greeted it; null if it is another
     *     driver's
     */
    public void start(Connection connection, @Nullable BaseConnection driver, String database) throws SQLException {
        if (common != null) {
            return;
        }
        int greeting = driver == null ? -1 : driver.getQueryExecutor().getBackendPID();
        String sql = STATE.formatted(commonSchemas.sql(), greeting);
        String question = names.question(database);
        long start = System.nanoTime();
        boolean inAutoCommit = connection.getAutoCommit();
        if (!inAutoCommit) {
            connection.setAutoCommit(true); // a rollback would take the path back
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql + question);
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                String found = row.getString(2);
                pooled = !row.getBoolean(1);
                if (pooled) {
                    requireRolesPath(database, row.getString(3), found);
                }
                requireStandardStrings(database, row.getString(4));
                readCommitted = row.getBoolean(5);
                utf8 = row.getBoolean(6);
                common = found;
            }
            if (!question.isEmpty() && statement.getMoreResults()) {
                names.put(database, statement, start);
            }
        }
        if (pooled && driver != null) {
            // The next transaction may have another session of the server, without the statements that were prepared in
            // this one.
            driver.unwrap(PgConnection.class).setPrepareThreshold(0);
        }
        if (!inAutoCommit) {
            connection.setAutoCommit(false);
        }
    }

    /**
     * Fails if a backslash ends other literals than those that were read: then a text would mean something else
     * to the server than to the routing.
     */
    private static void requireStandardStrings(String database, String setting) throws SQLException {
        if (!setting.equals("on")) {
            throw new SQLFeatureNotSupportedException("Database " + database + " has standard_conforming_strings = "
                    + setting + ", under which literals end elsewhere than routing reads. Set it to on, for the role or"
                    + " the database.");
        }
    }

    private String common() {
        return Objects.requireNonNull(common, "not started");
    }

    private String path(String named) {
        return CommonSchemas.path(named, common());
    }

    /**
     * Returns whether the server has not crashed since an instant: a crash would have ended the session.
     *
     * @param nanos the instant, of {@code System.nanoTime}
     */
    public boolean isOpenSince(long nanos) {
        return nanos - firstSeen >= 0;
    }

    /**
     * Refuses a role's path without the common schemas, under which operators of extensions would not be found,
     * or with a shard's.
     */
    private static void requireRolesPath(String database, String path, String common)
            throws SQLFeatureNotSupportedException {
        Set<String> names = schemas(path);
        boolean ofShard = names.stream().anyMatch(name -> SHARD.matcher(name).matches());
        if (ofShard || !names.containsAll(schemas(common))) {
            throw new SQLFeatureNotSupportedException("Database " + database
                    + " is behind a pooler, and the search path"
                    + " of its sessions is " + path + ", which must name no shard, but the common schemas: " + common
                    + ". Set it for the role: ALTER ROLE … IN DATABASE … SET search_path = " + common
                    + ", and let the pooler reconnect; or name other schemas as common ones.");
        }
    }

    private static Set<String> schemas(String path) {
        return Arrays.stream(path.split(",")).map(String::strip).collect(Collectors.toSet());
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
            return dependent && wanted != null ? forStatement(path(wanted), true) : null;
        }
        boolean right = (reported == null || pooled) ? isKnown(wanted, dependent) : names(reported, wanted, dependent);
        if (right) {
            return null;
        }
        corrected = dependent && wanted != null ? wanted : NO_SCHEMA;
        return naming(dependent ? wanted : null);
    }

    /** Returns what sets the path to a schema, and fails if there is no such schema, whatever the path is. */
    public String requiring(String wanted, boolean inTransaction) {
        corrected = pooled && !inTransaction ? NO_SCHEMA : wanted;
        return forStatement(path(wanted), pooled) + ", '" + wanted + "'::pg_catalog.regnamespace";
    }

    /**
     * Returns what sets the path by a query. Behind a pooler, in autocommit, it holds for the text that it begins, where SET LOCAL
     * would give a warning.
     *
     * @param local whether it ends with the transaction, or with that text
     */
    private static String forStatement(String path, boolean local) {
        return "SELECT pg_catalog.set_config('search_path', '" + path.replace("'", "''") + "', " + local + ")";
    }

    private String naming(@Nullable String named) {
        return (pooled ? "SET LOCAL search_path TO " : "SET search_path TO ")
                + (named == null ? common() : path(named));
    }

    private boolean names(String reported, @Nullable String wanted, boolean dependent) {
        return (!dependent && reported.equals(common())) || (wanted != null && reported.equals(path(wanted)));
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
    public void forgetPath() {
        schema = null;
    }

    /**
     * Notes that something ran that changes the path if a trigger does: what depends on the path does not rely
     * on it.
     */
    public void doubtPath() {
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
