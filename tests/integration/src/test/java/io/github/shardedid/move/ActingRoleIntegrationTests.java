package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Movers log in as one of two roles, which are rotated, and act as a third one that owns everything. All are no superusers. */
@Tag("since-16") // The role pg_create_subscription is needed.
@Tag("embedded-only")
class ActingRoleIntegrationTests {
    private static final String OWNER = "acting_owner";

    private final List<TestDatabase> owned = IntStream.of(1, 2)
            .mapToObj(number -> database(PostgresServers.shared(number)))
            .toList();
    private final TestDatabase pg1 = owned.get(0);
    private final TestDatabase pg2 = owned.get(1);
    private final MovingCluster before = as("acting_1");
    private final MovingCluster after = as("acting_2");

    /** Not an error that was foreseen. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    ActingRoleIntegrationTests() {
        before.provision();
        before.fill(100);
    }

    private static TestDatabase database(PostgresServer server) {
        TestDatabase postgres = new TestDatabase(server, "postgres");
        postgres.execute("DO $$ BEGIN CREATE ROLE " + OWNER + "; EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
                + " ALTER ROLE " + OWNER + " LOGIN REPLICATION; GRANT pg_create_subscription TO " + OWNER);
        for (String role : List.of("acting_1", "acting_2")) {
            ServerAsRole.on(server, role);
            postgres.execute("ALTER ROLE " + role + " LOGIN REPLICATION; GRANT " + OWNER + " TO " + role
                    + "; ALTER ROLE " + role + " SET role = " + OWNER);
        }
        TestDatabase made = server.newDatabase();
        made.execute("GRANT CREATE ON DATABASE " + made.name() + " TO " + OWNER);
        return made;
    }

    private MovingCluster as(String role) {
        return new MovingCluster(owned.stream()
                .map(database -> new TestDatabase(ServerAsRole.on(database.server(), role), database.name()))
                .toList());
    }

    @AfterEach
    void drop() {
        after.close();
    }

    /** The servers would start workers without end. */
    @Test
    void anOwnerAsWhomWorkersCannotRunIsToldBeforeAnythingIsWritten() {
        pg2.execute("ALTER ROLE " + OWNER + " NOLOGIN; REVOKE ALL ON DATABASE " + pg2.name()
                + " FROM PUBLIC; GRANT CONNECT ON DATABASE " + pg2.name() + " TO acting_1");
        List<String> rows = before.rows("pg1");
        String login = "ALTER ROLE " + OWNER + " LOGIN";
        String connect = "GRANT CONNECT ON DATABASE " + pg2.name() + " TO " + OWNER;

        assertThat(before.mover().check(MovingCluster.SHARD, "pg2"))
                .hasSize(2)
                .allMatch(line -> line.startsWith("Target pg2: " + OWNER))
                .anyMatch(line -> line.contains(login))
                .anyMatch(line -> line.contains(connect));
        assertThatThrownBy(() -> before.mover().move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("Nothing was changed");
        assertThat(before.mover().moves()).isEmpty();

        pg2.execute(login + "; " + connect);
        before.mover().move(MovingCluster.SHARD, "pg2");

        movedWith(rows);
    }

    /** It may read what the owner owns, but a mover must also act as the owner. */
    @Test
    void aMembershipThatIsNotEnoughIsToldBeforeAnythingIsWritten() {
        pg2.execute("ALTER ROLE acting_1 RESET role; GRANT " + OWNER + " TO acting_1 WITH SET FALSE");
        List<String> rows = before.rows("pg1");
        String remedy = "GRANT " + OWNER + " TO acting_1 WITH INHERIT TRUE, SET TRUE";

        List<String> told = before.mover().check(MovingCluster.SHARD, "pg2");
        pg2.execute(remedy);

        assertThat(String.join("\n", told)).contains("pg2", remedy);
        before.mover().move(MovingCluster.SHARD, "pg2");
        movedWith(rows);
    }

    @Test
    @Tag("slow")
    void workersThatCannotLogInAnyMoreStopTheMoveWhichIsResumed() {
        List<String> rows = before.rows("pg1");
        MoveOptions options = TestMoveOptions.catchUpTimeout(before.options(), Duration.ofSeconds(10))
                .withListener(at(MoveStep.PUBLISH, () -> pg2.execute("ALTER ROLE " + OWNER + " NOLOGIN")));

        assertThatThrownBy(() -> before.mover(options).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveUnfinishedException.class);
        // A worker that a slow server ends late passes for one that works.
        await().untilAsserted(
                        () -> assertThatThrownBy(() -> before.mover(options).resume(MovingCluster.SHARD))
                                .isInstanceOf(MoveUnfinishedException.class)
                                .hasMessageContainingAll(
                                        "end as soon as they begin", "acting_1@localhost", "log of the target's server")
                                .hasMessageNotContaining("pw of"));
        assertThat(before.states()).contains("pg1 1 MOVING");

        pg2.execute("ALTER ROLE " + OWNER + " LOGIN");
        before.mover().resume(MovingCluster.SHARD);

        movedWith(rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"COPY", "CATCH_UP"})
    void aMoveIsResumedWithTheCredentialsOfNow(String step) {
        List<String> rows = before.rows("pg1");
        MoveOptions killed = before.options().withListener(at(MoveStep.valueOf(step), () -> {
            throw new Killed();
        }));
        assertThatThrownBy(() -> before.mover(killed).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(Killed.class);

        rotate();
        after.mover(TestMoveOptions.catchUpTimeout(after.options(), Duration.ofSeconds(30)))
                .resume(MovingCluster.SHARD);

        movedWith(rows);
    }

    /** Only the servers among each other use them. The table that is copied is locked until the old credentials have ended. */
    @Test
    @Tag("slow")
    void aMoveUnderWayGoesOnWithNewCredentials() throws SQLException {
        List<String> rows = before.rows("pg1");
        AtomicBoolean rotated = new AtomicBoolean();
        try (Connection lock = pg2.connect();
                Statement statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            MoveOptions options = MoveOptions.DEFAULT
                    .withReplicationSourcesOf(name -> (rotated.get() ? after : before)
                            .options()
                            .replicationSources()
                            .apply(name))
                    .withListener(progress -> {
                        if (progress.step() == MoveStep.PUBLISH) {
                            executed(statement, "LOCK TABLE shard_0001.photo IN EXCLUSIVE MODE");
                        } else if (progress.bytesTotal() > 0 && rotated.compareAndSet(false, true)) {
                            endOldRole(pg1, "walsender");
                            executed(statement, "ROLLBACK");
                        }
                    });

            after.mover(options).move(MovingCluster.SHARD, "pg2");
        }

        assertThat(rotated).isTrue();
        movedWith(rows);
    }

    private static void executed(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** As pools and servers do some time after a rotation. */
    private void rotate() {
        owned.forEach(database -> endOldRole(database, "%"));
    }

    private static void endOldRole(TestDatabase database, String sessions) {
        database.execute("ALTER ROLE acting_1 NOLOGIN");
        database.query("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'acting_1'"
                + " AND datname = current_database() AND backend_type LIKE '" + sessions + "'");
    }

    private static MoveListener at(MoveStep step, Runnable work) {
        return progress -> {
            if (progress.step() == step) {
                work.run();
            }
        };
    }

    private void movedWith(List<String> rows) {
        assertThat(after.rows("pg2")).isEqualTo(rows);
        assertThat(after.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(after.leftovers()).isEmpty();
    }
}
