package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.ReplicaMismatchException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Makes sure that no replica is a database of its own before anything is written. Of which cluster it is can be known only
 * afterwards, when its database knows that.
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

    /** One that cannot be reached may be one: it is passed over then. */
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
