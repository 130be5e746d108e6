package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shard 1 alone gets the rows of an earlier copy of its database. */
class RestoredShardIntegrationTests {
    private final MovingCluster cluster = new MovingCluster();
    private @Nullable TestDatabase beside;

    @BeforeEach
    void fill() {
        cluster.fill(20);
    }

    @AfterEach
    void drop() {
        cluster.close();
        if (beside != null) {
            beside.drop();
        }
    }

    private TestDatabase backUp(String database) {
        TestDatabase copy = cluster.database(database).copy();
        beside = copy;
        return copy;
    }

    private TestDatabase pg1() {
        return cluster.database("pg1");
    }

    private String only(String query) {
        return pg1().query(query).get(0);
    }

    @Test
    @Tag("quick")
    void theShardHasTheRowsOfTheBackupAndLaterOnesAreSetAside() {
        List<String> rows = cluster.rows("pg1");
        TestDatabase backup = backUp("pg1");
        pg1().execute("SET search_path = shard_0001; DELETE FROM likes; DELETE FROM photo;"
                + " INSERT INTO photo (caption) VALUES ('later'); UPDATE note SET body = 'changed'");
        pg1().execute("INSERT INTO shard_0000.photo (caption) VALUES ('another shard')");
        List<String> later = pg1().query("SELECT p::text FROM shard_0001.photo p");
        String newest = only("SELECT max(id) FROM shard_0001.photo");
        List<String> structure = structure();
        List<String> leases = pg1().query("SELECT l::text FROM shard_0001.sharded_id_lease l ORDER BY 1");

        cluster.mover().restore(1, backup.dataSource());

        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 2 ACTIVE");
        assertThat(pg1().query("SELECT p::text FROM shard_0001_replaced_1.photo p"))
                .isEqualTo(later);
        assertThat(only("SELECT count(*) FROM shard_0001_replaced_1.note WHERE body = 'changed'"))
                .isEqualTo("51");
        assertThat(only("SELECT count(*) FROM shard_0000.photo")).isEqualTo("1");
        assertThat(structure()).isEqualTo(structure);
        assertThat(pg1().query("SELECT l::text FROM shard_0001.sharded_id_lease l ORDER BY 1"))
                .isEqualTo(leases);
        pg1().execute("SET search_path = shard_0001; INSERT INTO photo (caption) VALUES ('after')");
        assertThat(only("SELECT max(id) > " + newest + " FROM shard_0001.photo WHERE caption = 'after'"))
                .isEqualTo("t");
        theShardIsMovedAndRestoredAgain(backup, rows);
    }

    private List<String> structure() {
        return pg1().query(
                        "SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace ="
                                + " 'shard_0001'::regnamespace UNION ALL SELECT tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1");
    }

    private void theShardIsMovedAndRestoredAgain(TestDatabase backup, List<String> rows) {
        cluster.mover().dropOldCopy(1, "pg1");
        assertThat(pg1().query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard_0001_%'"))
                .isEmpty();
        cluster.mover().moveOffline(1, "pg2");
        assertThat(cluster.states()).containsExactly("pg1 2 MOVED", "pg2 3 ACTIVE");

        cluster.mover().restore(1, backup.dataSource());

        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 2 MOVED", "pg2 4 ACTIVE");
    }

    @Test
    void aTransactionWithAnOlderSnapshotSeesTheRowsBefore() throws SQLException {
        TestDatabase backup = backUp("pg1");
        pg1().execute("UPDATE shard_0001.note SET body = 'changed'");
        try (Connection connection = pg1().dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("SELECT 1 FROM shard_0000.note");

            cluster.mover().restore(1, backup.dataSource());

            try (ResultSet found =
                    statement.executeQuery("SELECT count(*) FROM shard_0001.note WHERE body = 'changed'")) {
                found.next();
                assertThat(found.getInt(1)).isEqualTo(51);
            }
            connection.rollback();
        }
        assertThat(only("SELECT count(*) FROM shard_0001.note WHERE body = 'changed'"))
                .isEqualTo("0");
    }

    @Test
    void whileASessionHoldsTheTablesTheShardIsLeftAsItWas() throws SQLException {
        TestDatabase backup = backUp("pg1");
        List<String> rows = cluster.rows("pg1");
        try (Connection connection = pg1().dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT 1 FROM shard_0001.note");

            assertThatThrownBy(() -> cluster.mover(cluster.options().withFenceTimeout(Duration.ofMillis(100)))
                            .restore(1, backup.dataSource()))
                    .isInstanceOf(MoveRefusedException.class)
                    .hasMessageContainingAll("Shard 1 is not restored", "lock timeout", "Its rows are as before");

            connection.rollback();
        }
        unchanged(rows);
        cluster.mover().restore(1, backup.dataSource());
    }

    private void unchanged(List<String> rows) {
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
        assertThat(pg1().query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard_0001_%'"))
                .isEmpty();
    }

    @Test
    void afterTheDeathOfARestoreAnotherProcessServesTheShardAsBefore() {
        List<String> rows = cluster.rows("pg1");
        pg1().execute("UPDATE sharded_id.shard SET state = 'FENCED' WHERE shard = 1");
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));

        try (ClusterRecovery recovery = new ClusterRecovery(map, cluster.sources(), cluster::mover)) {
            Awaitility.await().untilAsserted(() -> unchanged(rows));
        }
    }

    @Test
    void aRestoreWhoseProcessHasDiedIsRunAgainOrTakenBack() {
        TestDatabase backup = backUp("pg1");
        List<String> rows = cluster.rows("pg1");
        String fenced = "UPDATE sharded_id.shard SET state = 'FENCED' WHERE shard = 1";

        pg1().execute(fenced);
        cluster.mover().recover(1, "pg1");
        unchanged(rows);

        pg1().execute(fenced);
        cluster.mover().restore(1, backup.dataSource());
        assertThat(cluster.states()).containsExactly("pg1 2 ACTIVE");
    }

    @Test
    void whatIsNoBackupOfTheShardIsRefused() {
        List<String> rows = cluster.rows("pg1");
        refused(pg1(), "one of the cluster's own databases");
        refused(cluster.database("pg2"), "one of the cluster's own databases");
        TestDatabase backup = backUp("pg2");
        refused(backup, "there the shard is ");
        backup.execute("UPDATE sharded_id.cluster SET cluster_id = gen_random_uuid()");
        refused(backup, "a different cluster");
        backup.execute("DROP SCHEMA sharded_id CASCADE");
        refused(backup, "no schema sharded_id");
        backup.drop();
        beside = null;
        refused(backup, "cannot be reached");
        unchanged(rows);
    }

    @Test
    void aBackupWhoseTablesDifferIsRefused() {
        TestDatabase backup = backUp("pg1");
        List<String> rows = cluster.rows("pg1");
        backup.execute("ALTER TABLE shard_0001.note ADD COLUMN more text");
        refused(backup, "more");
        unchanged(rows);
    }

    @Test
    void rowsThatCannotBeAreRefusedAndTheShardIsServed() {
        TestDatabase backup = backUp("pg1");
        List<String> rows = cluster.rows("pg1");
        backup.execute("SET session_replication_role = replica; DELETE FROM shard_0001.photo");
        refused(backup, "foreign key");
        unchanged(rows);
    }

    @Test
    void aShardThatIsBeingMovedIsNotRestored() {
        TestDatabase backup = backUp("pg1");
        MoveOptions options = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.CARRY_OVER) {
                throw new IllegalStateException("stopped");
            }
        });
        pg1().execute("ALTER TABLE shard_0001.note ADD COLUMN only_here text");
        assertThatThrownBy(() -> cluster.mover(options).moveOffline(1, "pg2")).isInstanceOf(RuntimeException.class);
        pg1().execute("UPDATE sharded_id.move SET step = 'PREPARE'");
        refused(backup, "unfinished");
    }

    private void refused(TestDatabase backup, String why) {
        assertThatThrownBy(() -> cluster.mover().restore(1, backup.dataSource()))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContainingAll("Shard 1 is not restored", why);
    }
}
