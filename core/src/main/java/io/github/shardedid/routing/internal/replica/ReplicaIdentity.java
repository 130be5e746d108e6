package io.github.shardedid.routing.internal.replica;

import io.github.shardedid.routing.replica.ReplicaMismatchException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Makes sure that a replica is one of its database: a hot standby that holds the meta tables of the same cluster and
 * database. What the database itself says is asked once. Safe for use by several threads.
 */
final class ReplicaIdentity {
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_SCHEMA = "3F000";
    private static final String QUESTION =
            "SELECT cluster_id || ' ' || database_name, pg_is_in_recovery() FROM sharded_id.cluster";

    private final Map<String, DataSource> primaries;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    ReplicaIdentity(Map<String, DataSource> primaries) {
        this.primaries = primaries;
    }

    private record Answer(String identity, boolean inRecovery) {}

    /** Asks in one round trip; the connection is in autocommit. */
    void check(Replica replica, Connection connection) throws SQLException {
        Answer answer = ask(connection);
        if (!answer.inRecovery) {
            throw new ReplicaMismatchException(replica + " is no replica: it is not in recovery. Was it promoted, or is"
                    + " it the database itself? Configure a hot standby that streams from database "
                    + replica.database() + ".");
        }
        String expected = expected(replica.database());
        if (!answer.identity.equals(expected)) {
            throw new ReplicaMismatchException(replica
                    + " is a standby of something else: the cluster and database there"
                    + " are " + answer.identity + ", those of database " + replica.database() + " are " + expected
                    + ". Correct the replica's URL.");
        }
    }

    private static Answer ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(QUESTION)) {
            return row.next() ? new Answer(row.getString(1), row.getBoolean(2)) : new Answer("none", false);
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState()) || UNDEFINED_SCHEMA.equals(e.getSQLState())) {
                return new Answer("none, as there is no table sharded_id.cluster", isInRecovery(connection));
            }
            throw e;
        }
    }

    private static boolean isInRecovery(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private String expected(String database) throws SQLException {
        String identity = known.get(database);
        DataSource primary = primaries.get(database);
        if (identity == null && primary != null) {
            try (Connection connection = primary.getConnection()) {
                identity = ask(connection).identity;
            }
            known.put(database, identity);
        }
        return identity == null ? "not known" : identity;
    }
}
