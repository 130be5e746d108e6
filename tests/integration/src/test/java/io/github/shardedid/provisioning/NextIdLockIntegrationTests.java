package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever ends a call of the generator frees its lock. */
class NextIdLockIntegrationTests {
    @Test
    @Tag("quick")
    void aReadOnlyTransactionIsRefusedCleanlyAndLeaksNoLock() throws SQLException {
        TestDatabase database = provisioned();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            // The first id takes another way than those that follow within a day.
            statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')");
            statement.execute("BEGIN READ ONLY");
            assertThatThrownBy(() -> statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("read-only transaction");
            statement.execute("ROLLBACK");
            assertThat(advisoryLocks(database)).isZero();
        }
    }

    @Test
    void whoMayNotMoveTheSequenceIsRefusedAndLeaksNoLock() throws SQLException {
        TestDatabase database = provisioned();
        String role = "reader_of_" + database.name();
        database.execute("CREATE ROLE " + role + "; GRANT USAGE ON SCHEMA shard_0003 TO " + role
                + "; GRANT SELECT ON SEQUENCE shard_0003.photo_id_seq TO " + role
                + "; SELECT sharded_id.grant_writing('" + role + "')");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')");
            statement.execute("SET ROLE " + role);
            assertThatThrownBy(() -> statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                    .hasMessageContaining("permission denied for sequence");
            assertThat(advisoryLocks(database)).isZero();
        } finally {
            database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
        }
    }

    @Test
    void aSequenceWithBoundsOfItsOwnIsRefusedAndLeaksNoLock() throws SQLException {
        TestDatabase database = provisioned();
        database.execute("CREATE SEQUENCE shard_0003.narrow AS int MINVALUE 0");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> statement.execute("SELECT shard_0003.next_id('shard_0003.narrow')"))
                        .hasMessageContaining("out of bounds");
                assertThat(advisoryLocks(database)).isZero();
            }
        }
    }

    @Test
    @Tag("quick")
    void errorsCancelsAndRollbacksLeakNoLock() throws SQLException {
        TestDatabase database = provisioned();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("SAVEPOINT a; SELECT shard_0003.next_id('shard_0003.photo_id_seq'); ROLLBACK TO a");
            assertThat(advisoryLocks(database)).isZero();
            statement.execute("SELECT i FROM shard_0003.next_ids('shard_0003.photo_id_seq', 5000) i");
            assertThat(advisoryLocks(database)).isZero();
            for (int i = 0; i < 30; i++) {
                statement.execute("SAVEPOINT b; SET LOCAL statement_timeout = '" + (10 + i) + "ms'");
                assertThatThrownBy(() -> statement.execute("SELECT count(shard_0003.next_id('shard_0003.photo_id_seq'))"
                                + " FROM generate_series(1, 10000000)"))
                        .hasMessageContaining("statement timeout");
                statement.execute("ROLLBACK TO b");
            }
            assertThat(advisoryLocks(database)).isZero();
        }
    }

    @Test
    void cancelsInBurstsLeakNoLockAndRepeatNoId() throws Exception {
        TestDatabase database = provisioned();
        try (Connection victim = database.connect();
                Statement statement = victim.createStatement()) {
            Set<Long> ids = new HashSet<>();
            AtomicBoolean over = new AtomicBoolean();
            Thread attacker = new Thread(() -> cancelInBursts(statement, over));
            attacker.start();
            int count = 0;
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < end) {
                try (ResultSet row = statement.executeQuery("SELECT shard_0003.next_id('shard_0003.photo_id_seq')")) {
                    row.next();
                    ids.add(row.getLong(1));
                    count++;
                } catch (SQLException e) {
                    assertThat(e.getMessage()).contains("canceling statement due to user request");
                }
            }
            over.set(true);
            attacker.join();
            assertThat(ids).hasSize(count);
            assertThat(advisoryLocks(database)).isZero();
        }
    }

    private static void cancelInBursts(Statement statement, AtomicBoolean over) {
        while (!over.get()) {
            try {
                statement.cancel();
                statement.cancel();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static long advisoryLocks(TestDatabase database) {
        return database.queryLong("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                + " (SELECT oid FROM pg_database WHERE datname = current_database())");
    }

    private static TestDatabase provisioned() {
        return TestCluster.provisioned(IdLayout.DEFAULT, 4, "0-3").database("pg1");
    }
}
