package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.MaintenanceLock;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.FunctionSql;
import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.operations.internal.schema.StoredShard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a change of the number of JVM nodes in one database. All use the session that holds the lock, so no other run
 * interferes between two steps, and all of them reach the same server.
 */
final class ChangingDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(ChangingDatabase.class);
    private static final int PROGRESS = 100;

    private final String name;
    private final Connection connection;
    private final StoredCluster before;
    private final String clock;
    private @Nullable OldTransactions old;

    ChangingDatabase(String name, Connection connection, StoredCluster before, String clock) {
        this.name = name;
        this.connection = connection;
        this.before = before;
        this.clock = clock;
    }

    String name() {
        return name;
    }

    StoredCluster before() {
        return before;
    }

    /** Whether the change is complete, except that {@code earliest} may have to be raised. */
    boolean isAt(int nodes) {
        return before.layout().jvmNodes() == nodes && before.changingTo() == null;
    }

    private boolean isFromNone() {
        return before.layout().jvmNodes() == 0;
    }

    /** Ends the granting of leases. In a change from 0 nodes, calls that begin later generate ids of the lower half only. */
    void begin(int nodes) throws SQLException {
        if (isAt(nodes)) {
            return;
        }
        if (before.changingTo() == null) {
            Transaction.run(connection, () -> {
                Sql.update(connection, "UPDATE sharded_id.cluster SET changing_to = ?", nodes);
                if (isFromNone()) {
                    install(nodes, before.earliest());
                }
            });
            LOG.info("Database {}: no more leases until jvm-nodes is {}", name, nodes);
        }
        if (isFromNone()) {
            old = OldTransactions.now(connection);
        }
    }

    /** In a change from 0 nodes: waits for calls of the functions that generate ids of the whole sequence. */
    void awaitOldCalls(ChangeTimeout timeout) throws SQLException {
        if (old != null) {
            timeout.await(name, old::stillOpen);
        }
    }

    /**
     * In a change to 0 nodes: closes the leases of all shards.
     *
     * @return the first timestamp after all windows that this database has ever leased
     */
    long closeLeases(ChangeTimeout timeout) throws SQLException {
        if (isAt(0)) {
            return before.earliest();
        }
        try (SessionLock lock = lockSchemas(timeout)) {
            return close(0, Map.of(), timeout);
        }
    }

    /** Waits until the database's clock has reached a timestamp. */
    void awaitPresent(long earliest, ChangeTimeout timeout) throws SQLException {
        String select = "SELECT " + FunctionSql.present(before.layout(), clock);
        timeout.await(name, () -> {
            long left = earliest - Sql.number(connection, select);
            return left <= 0
                    ? null
                    : "the windows of leases, the last of which ends in "
                            + left * before.layout().unit().millis() / 1000 + " s";
        });
    }

    /** Stores the new number and replaces the functions, which then grant leases by it. */
    void finish(int nodes, long earliest, ChangeTimeout timeout) throws SQLException {
        if (isAt(nodes) && before.earliest() == earliest) {
            return;
        }
        if (isAt(nodes) || !isFromNone()) {
            store(nodes, earliest);
            return;
        }
        // The leases of a schema that is created meanwhile would be missed.
        try (SessionLock lock = lockSchemas(timeout)) {
            close(nodes, OutsideSequences.ends(connection, before.layout()), timeout);
            store(nodes, earliest);
        }
    }

    private void store(int nodes, long earliest) throws SQLException {
        Transaction.run(connection, () -> {
            Sql.update(connection, "UPDATE sharded_id.cluster SET jvm_nodes = ?, changing_to = NULL", nodes);
            Sql.update(connection, "UPDATE sharded_id.cluster SET earliest = ?", earliest);
            install(nodes, earliest);
        });
        LOG.info("Database {}: jvm-nodes is {}", name, nodes);
    }

    private void install(int nodes, long earliest) throws SQLException {
        IdLayout layout = before.layout().withJvmNodes(nodes);
        Sql.execute(connection, FunctionSql.functions(layout, before.shardCount(), clock, earliest));
    }

    private SessionLock lockSchemas(ChangeTimeout timeout) throws SQLException {
        SessionLock[] lock = new SessionLock[1];
        timeout.await(name, () -> {
            lock[0] = SessionLock.tryOnDatabase(connection);
            return lock[0] != null
                    ? null
                    : "an instance that makes or migrates schemas: " + MaintenanceLock.holder(connection);
        });
        return Objects.requireNonNull(lock[0]);
    }

    private long close(int nodes, Map<Integer, Long> outside, ChangeTimeout timeout) throws SQLException {
        long end = before.earliest();
        int done = 0;
        for (StoredShard shard : StoredShard.readAll(connection)) {
            if (shard.schemaExists()) {
                ShardLeases leases = new ShardLeases(connection, shard.shard());
                end = Math.max(end, leases.close(name, nodes, outside.getOrDefault(shard.shard(), 0L), timeout));
                done++;
                if (done % PROGRESS == 0) {
                    LOG.info("Database {}: the leases of {} shards are closed", name, done);
                }
            }
        }
        return end;
    }
}
