package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.replica.ReplicaMismatchException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Checks that each replica is a standby, before anything is written. Whether it belongs to the cluster is checked later, when the
 * cluster is provisioned.
 */
final class ReplicaCheck {
    /** The start of an application does not wait longer for a replica that hangs. */
    private static final int WAIT_SECONDS = 1;

    private ReplicaCheck() {}

    /**
     * Asks all replicas at the same time. One that does not answer is checked when it is first used.
     *
     * @param replicasByDatabase data sources of the replicas, by name of the database
     * @throws ReplicaMismatchException if one is not in recovery
     */
    static void check(Map<String, ? extends List<DataSource>> replicasByDatabase) {
        Map<String, FutureTask<Boolean>> checks = new LinkedHashMap<>();
        replicasByDatabase.forEach((name, replicas) -> {
            for (int i = 0; i < replicas.size(); i++) {
                checks.put("sharded-id.databases." + name + ".replicas[" + i + "]", start(replicas.get(i)));
            }
        });
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        checks.forEach((property, check) -> {
            if (isNoStandby(check, end - System.nanoTime())) {
                throw new ReplicaMismatchException(
                        property + " is no replica: it is not in recovery. Was it promoted, or"
                                + " is it the database itself? Configure a hot standby that streams from its database. Nothing"
                                + " was written.");
            }
        });
    }

    private static FutureTask<Boolean> start(DataSource replica) {
        FutureTask<Boolean> check = new FutureTask<>(() -> isNoStandby(replica));
        Thread thread = new Thread(check, "sharded-id-replica-check");
        thread.setDaemon(true);
        thread.start();
        return check;
    }

    /** False for one that has not answered, too. */
    private static boolean isNoStandby(FutureTask<Boolean> check, long nanos) {
        try {
            return check.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
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
