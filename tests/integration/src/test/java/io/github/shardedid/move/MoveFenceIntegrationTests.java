package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGStatement;

/** Whoever is connected to the old home of a shard meets the fence there, inside PostgreSQL. */
class MoveFenceIntegrationTests {
    private final MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    @Test
    @Tag("quick")
    void statementsPreparedByTheServerAreRefusedReadsAndWrites() throws SQLException {
        cluster.fill(10);
        List<String> sql = List.of(
                "SELECT count(*) FROM shard_0001.photo",
                "INSERT INTO shard_0001.photo (caption) VALUES ('late')",
                "UPDATE shard_0001.photo SET caption = 'late'",
                "SELECT shard_0001.next_id('shard_0001.photo_id_seq')",
                "SELECT nextval('shard_0001.never_used')");
        try (Connection session = cluster.database("pg1").connect()) {
            List<PreparedStatement> prepared = new ArrayList<>();
            for (String one : sql) {
                PreparedStatement statement = session.prepareStatement(one);
                statement.unwrap(PGStatement.class).setPrepareThreshold(1);
                statement.execute();
                statement.execute();
                assertThat(statement.unwrap(PGStatement.class).isUseServerPrepare())
                        .isTrue();
                prepared.add(statement);
            }

            cluster.mover().move(MovingCluster.SHARD, "pg2");

            for (PreparedStatement statement : prepared) {
                assertThatThrownBy(statement::execute)
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isIn("42P01", "3F000", "42883"));
            }
        }
    }

    @Test
    @Tag("quick")
    void nobodyWritesToTheOldCopyUnderItsOtherName() throws SQLException {
        cluster.fill(10);
        TestDatabase old = cluster.database("pg1");
        String sequence =
                old.query("SELECT 'shard_0001.photo_id_seq'::regclass::oid").get(0);
        cluster.mover().move(MovingCluster.SHARD, "pg2");
        for (String sql : List.of(
                "INSERT INTO shard_0001_fenced_1.photo (caption) VALUES ('late')",
                "UPDATE shard_0001_fenced_1.note SET body = ''",
                "DELETE FROM shard_0001_fenced_1.visit",
                "DELETE FROM shard_0001_fenced_1.visit_2026",
                "TRUNCATE shard_0001_fenced_1.likes CASCADE",
                "SET session_replication_role = replica; INSERT INTO shard_0001_fenced_1.photo VALUES (1, 'late')")) {
            assertThatThrownBy(() -> old.execute(sql)).hasStackTraceContaining("it is not the shard, but a copy of it");
        }
        for (String sql : List.of(
                "SELECT sharded_id.next_id(" + sequence + "::oid::regclass, 1)",
                "SELECT nextval('shard_0001_fenced_1.never_used')",
                "SELECT setval('shard_0001_fenced_1.photo_id_seq', 9000000000000000000)")) {
            assertThatThrownBy(() -> old.query(sql)).as(sql).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> old.query(
                        "SELECT refused FROM shard_0001_fenced_1.lease_node(gen_random_uuid(), NULL, 64, 1000)"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLongTransactionLeavesTheMoveUnfinishedAndHoldsNobodyUp() throws SQLException {
        cluster.fill(10);
        MoveOptions impatient = TestMoveOptions.fenceTimeout(cluster.options(), Duration.ofMillis(300));
        try (Connection session = cluster.database("pg1").connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            statement.execute("SET application_name = 'a long report'");
            statement.execute("SELECT * FROM shard_0001.photo");

            assertThatThrownBy(() -> cluster.mover(impatient).move(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(MoveUnfinishedException.class)
                    .hasMessageContaining("a long report")
                    .hasMessageContaining("Resume");

            assertThat(cluster.states()).containsExactly("pg1 1 MOVING", "pg2 2 RECEIVING");
            cluster.database("pg1").execute("INSERT INTO shard_0001.photo (caption) VALUES ('meanwhile')");
        }
        List<String> rows = cluster.rows("pg1");

        assertThat(cluster.mover().resume(MovingCluster.SHARD).step()).isEqualTo(MoveStep.DONE);

        assertThat(cluster.rows("pg2")).isEqualTo(rows);
    }

    /** A statement that reads the publications of its table fails if one is dropped in that moment. */
    @Test
    void aPublicationIsDroppedWhileNobodyWritesToItsTables() throws Exception {
        MoveOptions impatient = TestMoveOptions.fenceTimeout(cluster.options(), Duration.ZERO);
        CompletableFuture<Void> abort;
        try (Connection session = cluster.database("pg1").connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            statement.execute("SELECT * FROM shard_0001.photo");
            assertThatThrownBy(() -> cluster.mover(impatient).move(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(MoveUnfinishedException.class);
            statement.execute("INSERT INTO shard_0001.photo (caption) VALUES ('open')");
            abort = OwnThread.run(() -> cluster.mover().abort(MovingCluster.SHARD));
            await().until(() -> cluster.database("pg1")
                    .query("SELECT wait_event FROM pg_stat_activity WHERE query LIKE '%LOCK TABLE%IN SHARE MODE%'"
                            + " AND wait_event_type = 'Lock'")
                    .contains("relation"));
            assertThat(abort).isNotDone();
            session.commit();
        }
        abort.get(3, TimeUnit.MINUTES);
        assertThat(cluster.database("pg1").query("SELECT pubname FROM pg_publication"))
                .isEmpty();
    }

    @Test
    void aTransactionThatHasOnlyMadeIdsIsWaitedFor() throws SQLException {
        try (Connection session = cluster.database("pg1").connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            MoveOptions impatient = TestMoveOptions.fenceTimeout(cluster.options(), Duration.ZERO)
                    .withListener(progress -> {
                        if (progress.step() == MoveStep.FENCE) {
                            execute(statement, "SELECT nextval('shard_0001.never_used')");
                        }
                    });

            assertThatThrownBy(() -> cluster.mover(impatient).move(MovingCluster.SHARD, "pg2"))
                    .isInstanceOf(MoveUnfinishedException.class);
        }
        cluster.mover().abort(MovingCluster.SHARD);
        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
    }

    private static void execute(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
