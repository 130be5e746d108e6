package io.github.shardedid.move.internal.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class ReplicationSettingsIntegrationTests {
    private static TestDatabase source;
    private static TestDatabase target;

    @BeforeAll
    static void make() {
        source = PostgresServers.shared(1).newDatabase();
        target = PostgresServers.shared(2).newDatabase();
        source.execute("CREATE SCHEMA shard_0001; CREATE TABLE shard_0001.photo (id bigint PRIMARY KEY)");
        for (TestDatabase database : List.of(source, target)) {
            database.execute("DO $$ BEGIN CREATE ROLE mover_without_rights LOGIN PASSWORD 'pw';"
                    + " EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        }
    }

    @AfterAll
    static void drop() {
        source.drop();
        target.drop();
    }

    @Test
    void nothingIsInTheWayBetweenServersThatAreSetUpForIt() throws SQLException {
        assumeThatServersReachEachOther();

        assertThat(obstacles(reach(source.server().port(), "postgres"), 1)).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void aServerThatIsNotReachedIsToldWithTheAddressAndWithoutThePassword() throws SQLException {
        assertThat(obstacles(reach(1, "postgres"), 1)).singleElement().satisfies(line -> assertThat(line)
                .startsWith("Target pg2: its server does not reach the source as postgres@localhost:1/" + source.name())
                .contains("pg_hba.conf")
                .doesNotContain("not 'told\\"));
    }

    @Test
    void aDatabaseThatIsNotThereIsTold() throws SQLException {
        assumeThatServersReachEachOther();

        assertThat(obstacles(
                        new ReplicationSource(
                                "localhost", source.server().port(), "no_such_one", "postgres", "postgres"),
                        1))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("no_such_one"));
    }

    @Test
    void manyMovesAtOnceNeedRoomInEverySetting() throws SQLException {
        assertThat(obstacles(reach(1, "postgres"), 1_000))
                .anyMatch(line -> line.startsWith("Source pg1: max_replication_slots")
                        && line.contains("1000 moves at once need 3000"))
                .anyMatch(line -> line.startsWith("Source pg1: max_wal_senders"))
                .anyMatch(line -> line.startsWith("Target pg2: max_logical_replication_workers"))
                .anyMatch(line -> line.startsWith("Target pg2: max_worker_processes"))
                .anyMatch(line -> line.matches("Target pg2: max_(active_replication_origins|replication_slots) .*"))
                .allMatch(line -> line.contains("ALTER SYSTEM SET") && line.endsWith("restart that server."));
    }

    /** Else the third move of a plan that runs two at once is refused while the second one runs. */
    @Test
    void whatOtherMovesUseIsWithinTheRoomForMovesAtOnce() throws SQLException {
        List<String> slots = List.of("sharded_id_move_7_012345", "sharded_id_move_7_012345_cmp", "pg_1_sync_2_3");
        try (Connection here = source.connect()) {
            int most = roomForMoves(here);
            try {
                for (String slot : slots) {
                    Sql.execute(here, "SELECT pg_create_physical_replication_slot('" + slot + "')");
                }
                assertThat(roomForMoves(here)).isEqualTo(most).isGreaterThan(1);
            } finally {
                Sql.execute(
                        here,
                        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name IN ('"
                                + String.join("', '", slots) + "')");
            }
        }
    }

    /** What a backup or another process's move uses for a while is no reason to end a plan. */
    @ParameterizedTest
    @CsvSource({"true, theirs", "false, sharded_id_move_7_0123456_"})
    void slotsThatWillBeFreeAgainDeferAMove(boolean temporary, String prefix) throws SQLException {
        try (Connection here = source.connect()) {
            int most = roomForMoves(here);
            occupy(here, prefix, temporary);

            assertThatThrownBy(() -> slotsFor(here, most).lines())
                    .isInstanceOfSatisfying(MoveRefusedException.class, e -> assertThat(e.reason())
                            .isEqualTo(MoveRefusedException.Reason.DEFERRED))
                    .hasMessageContaining("max_replication_slots")
                    .hasMessageContaining("Or wait");
            assertThat(slotsFor(here, 1_000).lines()).hasSizeGreaterThan(0);
            drop(here, prefix);
        }
    }

    @Test
    void slotsThatOthersKeepRefuseAMove() throws SQLException {
        try (Connection here = source.connect()) {
            int most = roomForMoves(here);
            occupy(here, "theirs", false);
            assertThat(slotsFor(here, most).lines()).singleElement().satisfies(line -> assertThat(line)
                    .contains("max_replication_slots")
                    .doesNotContain("Or wait"));
            drop(here, "theirs");
        }
    }

    /** Makes as many as moves at once may use, so that one move less has room. */
    private static void occupy(Connection server, String prefix, boolean temporary) throws SQLException {
        long free = Sql.number(
                server, "SELECT current_setting('max_replication_slots')::int - count(*) FROM pg_replication_slots");
        for (long slot = 0; slot < free; slot++) {
            Sql.execute(
                    server,
                    "SELECT pg_create_physical_replication_slot('" + prefix + slot + "', false, " + temporary + ")");
        }
    }

    private static void drop(Connection server, String prefix) throws SQLException {
        Sql.execute(
                server,
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name LIKE '" + prefix
                        + "%'");
    }

    private static ReplicationSettings slotsFor(Connection server, int moves) throws SQLException {
        return ReplicationSettings.roomAt("pg1", server, moves);
    }

    /** For how many at once there are slots. */
    private static int roomForMoves(Connection server) throws SQLException {
        int moves = 1;
        while (slotsFor(server, moves + 1).isEmpty()) {
            moves++;
        }
        return moves;
    }

    @Tag("since-16")
    @Test
    void rolesWithoutRightsAreToldWhatToGrant() throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect();
                Statement here1 = here.createStatement();
                Statement there1 = there.createStatement()) {
            here1.execute("SET ROLE mover_without_rights");
            there1.execute("SET ROLE mover_without_rights");

            assertThat(ReplicationSettings.obstacles(
                            "pg1", here, "pg2", there, reach(source.server().port(), "mover_without_rights"), 1))
                    .anyMatch(line -> line.startsWith(
                                    "Source pg1: mover_without_rights may not create replication slots (SQL state 42501). ")
                            && line.contains("Run ALTER ROLE mover_without_rights REPLICATION"))
                    .anyMatch(line ->
                            line.startsWith("Source pg1:") && line.contains("does not own 1 of the shards' tables"))
                    .anyMatch(line -> line.contains("may not read 1 of the shards' tables"))
                    .anyMatch(line -> line.startsWith(
                                    "Target pg2: mover_without_rights may not create subscriptions (SQL state 42501). ")
                            && line.contains("Run GRANT pg_create_subscription TO mover_without_rights"));
        }
        assertNothingIsLeft();
    }

    @Tag("since-16")
    @Test
    void aServiceIsToldInItsOwnWords() throws SQLException {
        List<TestDatabase> both = List.of(source, target);
        both.forEach(database -> database.execute("CREATE ROLE rds_superuser"));
        try (Connection here = source.connect();
                Connection there = target.connect()) {
            Sql.execute(here, "SET ROLE mover_without_rights");
            Sql.execute(there, "SET ROLE mover_without_rights");

            assertThat(ReplicationSettings.obstacles(
                            "pg1", here, "pg2", there, reach(source.server().port(), "mover_without_rights"), 1_000))
                    .anyMatch(line -> line.contains("Run GRANT rds_replication TO mover_without_rights; no restart."))
                    .anyMatch(line -> line.contains("GRANT rds_superuser TO mover_without_rights."))
                    .anyMatch(line -> line.contains("Set max_replication_slots = 3")
                            && line.contains("in the DB parameter group, and restart"))
                    .noneMatch(line -> line.contains("ALTER SYSTEM"));
        } finally {
            both.forEach(database -> database.execute("DROP ROLE rds_superuser"));
        }
    }

    @Test
    void aReaderThatTheSourceRefusesIsToldWithTheStatementThatMendsIt() throws SQLException {
        assumeThatServersReachEachOther();
        source.execute("GRANT pg_read_all_data TO mover_without_rights");
        ReplicationSource reach =
                new ReplicationSource("localhost", source.server().port(), source.name(), "mover_without_rights", "pw");

        assertThat(obstacles(reach, 1)).singleElement().satisfies(line -> assertThat(line)
                .startsWith("Target pg2: its server does not reach the source as mover_without_rights@")
                .contains("SQL state HV00N", "run ALTER ROLE mover_without_rights REPLICATION there")
                .doesNotContain("'pw'"));
        source.execute("REVOKE pg_read_all_data FROM mover_without_rights");
        assertNothingIsLeft();
    }

    /** PostgreSQL makes a slot only when all transactions that write have ended, but it checks the privilege first. */
    @Test
    void aTransactionThatWritesIsNoObstacle() throws SQLException {
        assumeThatServersReachEachOther();
        try (Connection writer = source.connect()) {
            writer.setAutoCommit(false);
            Sql.execute(writer, "INSERT INTO shard_0001.photo VALUES (1)");
            assertThat(obstacles(reach(source.server().port(), "postgres"), 1)).isEmpty();
            writer.rollback();
        }
        assertNothingIsLeft();
    }

    private static void assertNothingIsLeft() {
        assertThat(source.queryLong(
                        "SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE 'sharded_id_probe_%'"))
                .isZero();
        assertThat(source.queryLong("SELECT count(*) FROM pg_publication")).isZero();
        assertThat(target.queryLong("SELECT count(*) FROM pg_subscription WHERE subname LIKE 'sharded_id_probe_%'"))
                .isZero();
    }

    @Test
    void aRoleThatIsNotThereIsTold() throws SQLException {
        assertThat(obstacles(reach(source.server().port(), "nobody's"), 1))
                .anyMatch(line -> line.contains("there is no role nobody's"));
    }

    private static void assumeThatServersReachEachOther() {
        assumeTrue(
                System.getProperty("sharded-id.test.postgres", "embedded").equals("embedded"),
                "One container does not reach another one at the port of this machine");
    }

    private static ReplicationSource reach(int port, String user) {
        return new ReplicationSource(
                "localhost",
                port,
                source.name(),
                user,
                port == 1 ? "not 'told\\" : source.server().password());
    }

    private static List<String> obstacles(ReplicationSource reach, int concurrent) throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect()) {
            List<String> lines = ReplicationSettings.obstacles("pg1", here, "pg2", there, reach, concurrent);
            assertThat(there.getAutoCommit()).isTrue();
            return lines;
        }
    }
}
