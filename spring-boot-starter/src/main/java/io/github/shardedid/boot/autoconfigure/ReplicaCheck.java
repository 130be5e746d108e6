package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.ReplicaMismatchException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Checks that each replica is a standby, before anything is written. Whether it belongs to the cluster is checked later, when the
 * cluster is provisioned.
 */
final class ReplicaCheck {
    private ReplicaCheck() {}

    static void check(ShardedDatabases databases) {
        databases.replicas().forEach((name, replicas) -> {
            for (int i = 0; i < replicas.size(); i++) {
                if (isNoStandby(replicas.get(i))) {
                    throw new ReplicaMismatchException("sharded-id.databases." + name + ".replicas[" + i
                            + "] is no replica: it is not in recovery. Was it promoted, or is it the database itself?"
                            + " Configure a hot standby that streams from database " + name + ". Nothing was written.");
                }
            }
        });
    }

    /** False for a replica that cannot be reached, which may be a standby. */
    private static boolean isNoStandby(DataSource replica) {
        try (Connection connection = replica.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
            return row.next() && !row.getBoolean(1);
        } catch (SQLException e) {
            return false;
        }
    }
}
