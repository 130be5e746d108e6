package io.github.shardedid.routing.internal.session;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PgStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions behind a pooler, whose search path cannot be set for longer than a transaction: the role's own path has to do for
 * statements that name their schema.
 */
final class PooledSessions {
    private static final Logger LOG = LoggerFactory.getLogger(PooledSessions.class);
    private static final Pattern SHARD = Pattern.compile("shard_\\d{4,}.*");

    /** Finds itself among the statements of the server session, if it has the name that the driver gave it. */
    private static final String OWN_NAME = "SELECT name FROM pg_catalog.pg_prepared_statements"
            + " WHERE name ~ '^S_[0-9]+$' AND statement LIKE '%its own name of sharded-id%'";

    /** The driver of another client has left a statement of that name. */
    private static final String DUPLICATE = "42P05";

    private PooledSessions() {}

    /** Refuses a path without the common schemas, under which operators of extensions would not be found, or with a shard's. */
    static void check(String database, String path, String common) throws SQLFeatureNotSupportedException {
        Set<String> names = names(path);
        boolean ofShard = names.stream().anyMatch(name -> SHARD.matcher(name).matches());
        if (ofShard || !names.containsAll(names(common))) {
            throw new SQLFeatureNotSupportedException("Database " + database
                    + " is behind a pooler, and the search path"
                    + " of its sessions is " + path + ", which must name no shard, but the common schemas: " + common
                    + ". Set it for the role: ALTER ROLE … IN DATABASE … SET search_path = " + common
                    + ", and let the pooler reconnect; or name other schemas as common ones.");
        }
    }

    /**
     * Switches the driver's prepared statements off, unless the pooler gives each server session those of its clients, as PgBouncer
     * does with max_prepared_statements. Such a pooler renames them; a name of the driver's in the server means that the statement is
     * missing in other sessions, or is another client's there.
     *
     * @param driver in autocommit
     */
    static void prepareOnlyWhereKept(PgConnection driver) throws SQLException {
        int threshold = driver.getPrepareThreshold();
        if (threshold == 0) {
            return;
        }
        // First, as the driver prepares BEGIN and COMMIT, too.
        driver.setPrepareThreshold(0);
        if (keepsStatements(driver)) {
            driver.setPrepareThreshold(threshold);
        } else {
            LOG.debug("Behind a pooler that does not keep prepared statements: none are used on this connection");
        }
    }

    private static boolean keepsStatements(PgConnection driver) throws SQLException {
        execute(driver, "BEGIN"); // One server session for all statements.
        try (PreparedStatement probe = driver.prepareStatement(OWN_NAME)) {
            probe.unwrap(PgStatement.class).setPrepareThreshold(1);
            try (ResultSet row = probe.executeQuery()) {
                if (!row.next()) {
                    return true;
                }
                execute(driver, "DEALLOCATE \"" + row.getString(1) + '"');
                return false;
            }
        } catch (SQLException e) {
            if (DUPLICATE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        } finally {
            execute(driver, "ROLLBACK");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Set<String> names(String path) {
        return Arrays.stream(path.split(",")).map(String::strip).collect(Collectors.toSet());
    }
}
