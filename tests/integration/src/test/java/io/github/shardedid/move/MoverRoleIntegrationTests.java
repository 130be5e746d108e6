package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The mover's role is no superuser: what the documentation says that it needs is enough, and what is missing is told first. */
// The role pg_create_subscription is needed.
@Tag("since-16")
@Tag("slow")
@Tag("embedded-only")
class MoverRoleIntegrationTests {
    private static final String ROLE = "shard_mover";

    private final ServerAsRole first = ServerAsRole.on(PostgresServers.shared(1), ROLE);
    private final ServerAsRole second = ServerAsRole.on(PostgresServers.shared(2), ROLE);
    private final MovingCluster cluster = new MovingCluster(first, second);
    private final TestDatabase pg1 = first.owned(cluster.database("pg1"));
    private final TestDatabase pg2 = second.owned(cluster.database("pg2"));

    /** Not an error that was foreseen. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    @BeforeEach
    void grant() {
        for (TestDatabase database : List.of(pg1, pg2)) {
            database.execute("ALTER ROLE " + ROLE + " REPLICATION; GRANT pg_create_subscription TO " + ROLE);
        }
    }

    @AfterEach
    void drop() {
        pg1.execute("REVOKE pg_signal_backend FROM " + ROLE + "; ALTER ROLE " + ROLE + " NOBYPASSRLS");
        pg2.execute("ALTER ROLE " + ROLE + " NOBYPASSRLS");
        pg2.execute("DROP ROLE IF EXISTS managed_admins");
        cluster.close();
    }

    @Test
    void itsRightsAreEnoughForAMoveThereAndBack() {
        assertThat(pg1.query("SELECT rolsuper FROM pg_roles WHERE rolname = '" + ROLE + "'"))
                .containsExactly("f");
        cluster.fill(500);
        List<String> rows = cluster.rows("pg1");
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg2")).isEmpty();

        cluster.mover().move(MovingCluster.SHARD, "pg2");
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        cluster.mover().move(MovingCluster.SHARD, "pg1");
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        cluster.mover().dropOldCopy(MovingCluster.SHARD, "pg2");
        cluster.mover().moveOffline(MovingCluster.SHARD, "pg2");

        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 3 MOVED", "pg2 4 ACTIVE");
        assertThat(cluster.leftovers()).isEmpty();
    }

    /**
     * As on a managed service, whose server lets members of a role do what PostgreSQL asks an attribute or a superuser for: functions
     * of slots run as a superuser here, and subscriptions are created by membership.
     */
    @Test
    void rightsThatAreNoAttributesAreEnoughForAMove() {
        for (String function : List.of(
                "pg_create_logical_replication_slot",
                "pg_drop_replication_slot",
                "pg_logical_slot_get_binary_changes")) {
            runsAsASuperuser(first.owned(pg1), function);
        }
        pg1.execute("ALTER ROLE " + ROLE + " NOREPLICATION; GRANT pg_signal_backend TO " + ROLE);
        ServerAsRole.on(PostgresServers.shared(1), "managed_reader");
        pg1.execute("ALTER ROLE managed_reader REPLICATION; GRANT pg_read_all_data TO managed_reader");
        pg2.execute("REVOKE pg_create_subscription FROM " + ROLE
                + "; CREATE ROLE managed_admins; GRANT pg_create_subscription TO managed_admins;"
                + " GRANT managed_admins TO " + ROLE);
        ReplicationSource reader =
                new ReplicationSource("localhost", first.port(), pg1.name(), "managed_reader", "pw of managed_reader");
        ShardMover mover = cluster.mover(cluster.options().withReplicationSources(Map.of("pg1", reader)));
        cluster.fill(100);
        List<String> rows = cluster.rows("pg1");

        assertThat(mover.check(MovingCluster.SHARD, "pg2")).isEmpty();
        mover.move(MovingCluster.SHARD, "pg2");

        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
    }

    private static void runsAsASuperuser(TestDatabase database, String function) {
        String definition = database.query("SELECT pg_get_functiondef('" + function + "'::regproc)")
                .get(0);
        database.execute(
                "SET allow_system_table_mods = on; UPDATE pg_proc SET proname = 'own_' || proname WHERE proname = '"
                        + function + "'; "
                        + definition.replace(" LANGUAGE internal", " LANGUAGE internal SECURITY DEFINER"));
    }

    @ParameterizedTest
    @EnumSource(
            value = MoveStep.class,
            names = {"PREPARE", "COPY", "CATCH_UP", "CARRY_OVER", "SWITCH"})
    void itsRightsAreEnoughForAnAbort(MoveStep step) {
        cluster.fill(50);
        List<String> before = cluster.everything("pg1");
        MoveOptions killed = cluster.options().withListener(progress -> {
            if (progress.step() == step) {
                throw new Killed();
            }
        });
        assertThatThrownBy(() -> cluster.mover(killed).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(Killed.class);

        assertThat(cluster.mover().abort(MovingCluster.SHARD).failure()).isNull();

        assertThat(cluster.everything("pg1")).isEqualTo(before);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void eachRightThatIsMissingIsToldWithTheStatementThatGrantsIt() {
        String owner = "shard_owner";
        for (TestDatabase database : List.of(pg1, pg2)) {
            database.execute(
                    "DO $$ BEGIN CREATE ROLE " + owner + "; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        }
        toldOf(
                pg1,
                "REVOKE CREATE ON DATABASE " + pg1.name() + " FROM " + ROLE,
                "pg1",
                "GRANT CREATE ON DATABASE " + pg1.name() + " TO " + ROLE);
        toldOf(
                pg2,
                "REVOKE CREATE ON DATABASE " + pg2.name() + " FROM " + ROLE,
                "pg2",
                "GRANT CREATE ON DATABASE " + pg2.name() + " TO " + ROLE);
        toldOf(pg1, "ALTER ROLE " + ROLE + " NOREPLICATION", "pg1", "ALTER ROLE " + ROLE + " REPLICATION");
        toldOf(pg2, "REVOKE pg_create_subscription FROM " + ROLE, "pg2", "GRANT pg_create_subscription TO " + ROLE);
        toldOf(pg1, "ALTER SCHEMA shard_0001 OWNER TO " + owner, "pg1", "GRANT " + owner + " TO " + ROLE);
        pg1.execute("REVOKE " + owner + " FROM " + ROLE + "; ALTER SCHEMA shard_0001 OWNER TO " + ROLE);
        toldOf(pg1, "ALTER TABLE shard_0001.photo OWNER TO " + owner, "pg1", "GRANT " + owner + " TO " + ROLE);
        toldOf(
                pg2,
                "ALTER TABLE sharded_id.move OWNER TO " + owner + "; GRANT SELECT ON sharded_id.move TO " + ROLE,
                "pg2",
                "GRANT " + owner + " TO " + ROLE);
    }

    /** Breaks one thing, and mends it by the statement that was told. */
    private void toldOf(TestDatabase database, String broken, String name, String remedy) {
        database.execute(broken);
        List<String> told = cluster.mover().check(MovingCluster.SHARD, "pg2");
        assertThat(told)
                .as(broken)
                .anyMatch(line -> line.contains(name) && line.contains(ROLE) && line.contains(remedy));
        assertThatThrownBy(() -> cluster.mover().move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(remedy);
        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
        database.execute(remedy);
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg2")).as(remedy).isEmpty();
    }

    @Test
    void aServerThatAsksForNoPasswordIsTold() {
        pg1.execute("DROP OWNED BY unasked_mover; DROP ROLE unasked_mover".repeat(exists() ? 1 : 0)
                + "; CREATE ROLE unasked_mover LOGIN REPLICATION"
                + " PASSWORD 'pw'; GRANT pg_read_all_data TO unasked_mover");
        MoveOptions options = cluster.options()
                .withReplicationSources(Map.of(
                        "pg1", new ReplicationSource("localhost", first.port(), pg1.name(), "unasked_mover", "pw")));

        assertThat(cluster.mover(options).check(MovingCluster.SHARD, "pg2"))
                .singleElement()
                .asString()
                .contains("Target pg2", "unasked_mover@localhost", "pg_hba.conf", "scram-sha-256")
                .doesNotContain("pw'");
    }

    private boolean exists() {
        return pg1.queryLong("SELECT count(*) FROM pg_roles WHERE rolname = 'unasked_mover'") == 1;
    }
}
