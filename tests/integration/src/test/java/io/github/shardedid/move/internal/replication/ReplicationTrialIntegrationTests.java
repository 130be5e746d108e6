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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ReplicationTrialIntegrationTests {
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

        assertThat(obstacles(reach(source.server().port(), "postgres"))).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void aServerThatIsNotReachedIsToldWithTheAddressAndWithoutThePassword() throws SQLException {
        assertThat(obstacles(reach(1, "postgres"))).singleElement().satisfies(line -> assertThat(line)
                .startsWith("Target pg2: its server does not reach the source as postgres@localhost:1/" + source.name())
                .contains("pg_hba.conf")
                .doesNotContain("not 'told\\"));
    }

    @Test
    void aDatabaseThatIsNotThereIsTold() throws SQLException {
        assumeThatServersReachEachOther();

        assertThat(obstacles(new ReplicationSource(
                        "localhost", source.server().port(), "no_such_one", "postgres", "postgres")))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("no_such_one"));
    }

    @Tag("since-16")
    @Test
    void rolesWithoutRightsAreToldWhatToGrant() throws SQLException {
        target.execute("GRANT CREATE ON DATABASE " + target.name() + " TO mover_without_rights");
        try (Connection here = source.connect();
                Connection there = target.connect()) {
            Sql.execute(there, "SET ROLE mover_without_rights");
            assertThat(obstacles(here, there, reach(source.server().port(), "postgres")))
                    .singleElement()
                    .asString()
                    .startsWith("Target pg2: mover_without_rights may not create subscriptions (SQL state 42501): ")
                    .contains("Run GRANT pg_create_subscription TO mover_without_rights");

            Sql.execute(here, "SET ROLE mover_without_rights");
            assertThat(obstacles(here, there, reach(source.server().port(), "mover_without_rights")))
                    .anyMatch(line -> line.startsWith("Source pg1: ")
                            && line.contains("SQL state 42501")
                            && line.contains("Run ALTER ROLE mover_without_rights REPLICATION"));
        }
        assertNothingIsLeft();
    }

    /** What a backup or another process's move uses for a while is no reason to end a plan. */
    @Test
    void slotsThatAreAllInUseDeferAMove() throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect()) {
            String free = "SELECT current_setting('max_replication_slots')::int - count(*) FROM pg_replication_slots";
            for (long slot = Sql.number(here, free); slot > 2; slot--) {
                Sql.execute(here, "SELECT pg_create_physical_replication_slot('theirs" + slot + "', false, true)");
            }
            ReplicationTrial trial = new ReplicationTrial("Source pg1", here, "Target pg2", there);
            assertThatThrownBy(() -> trial.run(reach(source.server().port(), "postgres")))
                    .isInstanceOfSatisfying(MoveRefusedException.class, e -> assertThat(e.reason())
                            .isEqualTo(MoveRefusedException.Reason.DEFERRED))
                    .hasMessageContainingAll("53400", "max_replication_slots", "wait");
        }
        assertNothingIsLeft();
    }

    @Test
    void aReaderThatTheSourceRefusesIsToldWithTheStatementThatMendsIt() throws SQLException {
        assumeThatServersReachEachOther();
        source.execute("GRANT pg_read_all_data TO mover_without_rights");
        ReplicationSource reach =
                new ReplicationSource("localhost", source.server().port(), source.name(), "mover_without_rights", "pw");

        assertThat(obstacles(reach)).singleElement().satisfies(line -> assertThat(line)
                .startsWith("Target pg2: its server does not reach the source as mover_without_rights@")
                .contains("SQL state HV00N", "needs REPLICATION")
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
            assertThat(obstacles(reach(source.server().port(), "postgres"))).isEmpty();
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
        assertThat(obstacles(reach(source.server().port(), "nobody's")))
                .anyMatch(line -> line.contains("does not reach the source as nobody's"));
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

    private static List<String> obstacles(ReplicationSource reach) throws SQLException {
        try (Connection here = source.connect();
                Connection there = target.connect()) {
            return obstacles(here, there, reach);
        }
    }

    private static List<String> obstacles(Connection here, Connection there, ReplicationSource reach)
            throws SQLException {
        ReplicationTrial trial = new ReplicationTrial("Source pg1", here, "Target pg2", there);
        List<String> lines = trial.run(reach);
        assertThat(there.getAutoCommit()).isTrue();
        return lines;
    }
}
