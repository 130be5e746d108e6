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
 */
public final class Session {
    private static final String STATE = SqlFile.read(Session.class, "session_state.sql");
    private static final Pattern SHARD = Pattern.compile("shard_\\d{4,}.*");

    /** The instant of {@code System.nanoTime} at which the session was seen first. It may be older. */
    private final long firstSeen = System.nanoTime();

    private final CommonSchemas commonSchemas;
    /** Asks the session what its transaction has set. */
    public final SettingCode settingCode;

    private final NameCatalogs names;
    /** The meanings of names of types, by the name with the shard's schema; the driver keeps what it looked up. */
    public final Map<String, String> typeNames = new HashMap<>(0);

    /** The search path; null until {@link #start}. */
    private @Nullable SessionPath path;
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
        if (path != null) {
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
                String common = row.getString(2);
                boolean pooled = !row.getBoolean(1);
                if (pooled) {
                    requireRolesPath(database, row.getString(3), common);
                }
                requireStandardStrings(database, row.getString(4));
                readCommitted = row.getBoolean(5);
                utf8 = row.getBoolean(6);
                path = new SessionPath(common, pooled);
            }
            if (!question.isEmpty() && statement.getMoreResults()) {
                names.put(database, statement, start);
            }
        }
        if (path.pooled && driver != null) {
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

    public SessionPath path() {
        return Objects.requireNonNull(path, "not started");
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
}
