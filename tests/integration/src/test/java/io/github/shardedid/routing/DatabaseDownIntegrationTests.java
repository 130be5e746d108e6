package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.HeldClock;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DatabaseDownIntegrationTests {
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";

    /** Which is within the transaction. */
    private static final String LOCKING = SELECT + " FOR SHARE";

    @Test
    @Tag("quick")
    void aStoppedServerTakesOnlyItsShardsWithIt() throws SQLException {
        try (PostgresServer server = PostgresServers.start();
                TwoDatabases databases = new TwoDatabases(
                        PostgresServers.shared(1), server, RoutingOptions.DEFAULT, TwoDatabases.BRIEF)) {
            server.stop();
            try (Connection connection = databases.transaction()) {
                insert(connection, 0, 5);
                assertThatThrownBy(() -> read(connection, 2, SELECT))
                        .isInstanceOf(DatabaseUnavailableException.class)
                        .hasMessageContaining("database pg2")
                        .hasMessageContaining("shard 2")
                        .hasMessageContaining("other databases are not concerned")
                        .hasMessageNotContaining(server.password() + " ")
                        .extracting(e -> ((SQLException) e).getSQLState())
                        .isEqualTo("08001");
                insert(connection, 0, 6);
                connection.commit();
            }
            assertThat(databases.count(0)).isEqualTo(3);
            assertThat(databases.taken()).isZero();

            server.start();
            TestPools.awaitConnection(databases.pool2);
            try (Connection connection = databases.routed.getConnection()) {
                assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
            }
        }
    }

    @Test
    void aWriteToADatabaseThatIsDownBindsNothing() throws SQLException {
        try (TwoDatabases databases = new TwoDatabases();
                Connection connection = databases.transaction()) {
            databases.tap2.cut();
            assertThatThrownBy(() -> insert(connection, 2, 5)).isInstanceOf(DatabaseUnavailableException.class);
            insert(connection, 0, 5);
            connection.commit();
            databases.tap2.restore();
            TestPools.awaitConnection(databases.pool2);
            insert(connection, 2, 5);
            connection.commit();
            assertThat(databases.count(2)).isEqualTo(2);
        }
    }

    @Test
    @Tag("quick")
    void whenAConnectionBreaksInATransactionNothingLeaks() throws SQLException {
        try (TwoDatabases databases = new TwoDatabases()) {
            try (Connection connection = databases.transaction()) {
                insert(connection, 0, 5);
                read(connection, 2, SELECT);
                databases.tap1.cut();
                assertThatThrownBy(() -> insert(connection, 0, 6))
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining("database pg1")
                        .hasMessageContaining("shard 0");
                connection.rollback();
                assertThat(databases.taken()).isZero();
            }
            databases.tap1.restore();
            try (Connection connection = databases.transaction()) {
                assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
            }
            assertThat(databases.count(0)).isEqualTo(1);
        }
    }

    @Test
    void aSessionThatTheServerEndsIsAConnectionLost() throws SQLException {
        try (TwoDatabases databases = new TwoDatabases();
                Connection connection = databases.transaction()) {
            read(connection, 2, LOCKING);
            endSessions(databases.pg2);
            assertThatThrownBy(() -> read(connection, 2, SELECT))
                    .isInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("database pg2")
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("08006");
            connection.rollback();
            assertThat(databases.taken()).isZero();
            assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
        }
    }

    private static void endSessions(TestDatabase database) {
        database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    private static void commitIsLost(Connection connection, String database) {
        assertThatThrownBy(connection::commit)
                .isInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("database " + database + " broke at the commit")
                .hasMessageContaining("look before it is repeated")
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("08007");
    }

    @Test
    @Tag("quick")
    void aConnectionThatBreaksAtTheCommitNamesItsDatabase() throws SQLException {
        try (TwoDatabases databases = new TwoDatabases();
                Connection connection = databases.transaction()) {
            insert(connection, 2, 5);
            endSessions(databases.pg2);
            commitIsLost(connection, "pg2");
            assertThat(databases.taken()).isZero();

            insert(connection, 2, 6);
            databases.tap2.cut();
            commitIsLost(connection, "pg2");
            databases.tap2.restore();
            assertThat(databases.count(2)).isEqualTo(1);
            assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
        }
    }

    @Test
    @Tag("quick")
    void aReaderThatBreaksAtTheCommitIsNamedAndNothingIsWritten() throws SQLException {
        try (TwoDatabases databases = new TwoDatabases();
                Connection connection = databases.transaction()) {
            read(connection, 0, LOCKING);
            insert(connection, 2, 5);
            endSessions(databases.pg1);
            commitIsLost(connection, "pg1");
            assertThat(databases.count(2)).isEqualTo(1);

            read(connection, 0, LOCKING);
            read(connection, 2, LOCKING);
            endSessions(databases.pg1);
            commitIsLost(connection, "pg1");
            assertThat(databases.taken()).isZero();
        }
    }

    @Test
    void aConnectionThatBreaksWhileRowsAreFetchedNamesItsDatabase() throws SQLException {
        try (TwoDatabases databases = new TwoDatabases();
                Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(2);
                PreparedStatement statement = connection.prepareStatement("SELECT generate_series(1, 100)")) {
            statement.setFetchSize(10);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                databases.tap2.cut();
                assertThatThrownBy(() -> {
                            while (rows.next()) {
                                assertThat(rows.getInt(1)).isPositive();
                            }
                        })
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining("database pg2")
                        .hasMessageContaining("shard 2");
            }
        }
    }

    @Test
    void callsForADatabaseThatIsKnownToBeDownDoNotWaitForThePool() throws Exception {
        AtomicReference<ShardMap> known = new AtomicReference<>(TwoDatabases.map());
        CurrentShardMap map = new CurrentShardMap(() -> Objects.requireNonNull(known.get()));
        try (TwoDatabases databases = new TwoDatabases()) {
            CountedSource counted = new CountedSource();
            RoutingDataSource routed = new RoutingDataSource(
                    new Cluster(IdLayout.DEFAULT, map),
                    Map.of("pg1", databases.pool1, "pg2", counted.of(databases.pool2)));
            databases.tap2.cut();
            try (Connection connection = routed.getConnection()) {
                assertUnavailable(connection);
                assertThat(counted.byCaller()).isEqualTo(1);

                // The shard map reaches the database: perhaps only this pool was out of luck.
                assertUnavailable(connection);
                assertThat(counted.byCaller()).isEqualTo(2);

                known.set(TwoDatabases.map(Map.of("pg2", "connection refused")));
                map.refresh(map.get());
                for (int i = 0; i < 40; i++) {
                    assertUnavailable(connection);
                }
                assertThat(counted.byCaller()).isEqualTo(2);
                assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");

                databases.tap2.restore();
                // Although the shard map does not know yet.
                Awaitility.await().ignoreExceptions().untilAsserted(() -> assertThat(read(connection, 2, SELECT))
                        .isEqualTo("of shard 2"));
                assertThat(counted.byOthers()).isPositive();
            }
            Awaitility.await().until(() -> databases.taken() == 0);
        }
    }

    private static void assertUnavailable(Connection connection) {
        assertThatThrownBy(() -> read(connection, 2, SELECT))
                .isInstanceOf(DatabaseUnavailableException.class)
                .hasMessageContainingAll("database pg2", "shard 2", "nothing was sent")
                .hasCauseInstanceOf(SQLException.class);
    }

    @Test
    void aShardWithoutAHomeIsLookedForAgainAtMostOnceASecond() throws SQLException {
        AtomicInteger loads = new AtomicInteger();
        ShardMap incomplete = new ShardMap(
                4,
                List.of(new ShardOwnership(0, "pg1", 1), new ShardOwnership(1, "pg1", 1)),
                Map.of("pg2", "connection refused"));
        AtomicInteger complete = new AtomicInteger();
        HeldClock clock = new HeldClock();
        CurrentShardMap map = new CurrentShardMap(
                () -> {
                    loads.incrementAndGet();
                    return complete.get() == 0 ? incomplete : TwoDatabases.map();
                },
                clock);
        try (TwoDatabases databases = new TwoDatabases()) {
            RoutingDataSource routed = new RoutingDataSource(
                    new Cluster(IdLayout.DEFAULT, map), Map.of("pg1", databases.pool1, "pg2", databases.pool2));
            try (Connection connection = routed.getConnection()) {
                assertThat(read(connection, 0, SELECT)).isEqualTo("of shard 0");
                for (int i = 0; i < 200; i++) {
                    assertThatThrownBy(() -> read(connection, 2, SELECT))
                            .isInstanceOf(DatabaseUnavailableException.class)
                            .hasMessageContaining("hard 2")
                            .hasMessageContaining("pg2");
                }
                assertThat(loads).as("the first, and one more").hasValue(2);
                complete.set(1);
                clock.advance(Duration.ofSeconds(1));
                assertThat(read(connection, 2, SELECT)).isEqualTo("of shard 2");
            }
            assertThat(databases.taken()).isZero();
        }
    }
}
