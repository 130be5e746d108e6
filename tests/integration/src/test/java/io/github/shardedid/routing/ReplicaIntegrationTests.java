package io.github.shardedid.routing;

import static io.github.shardedid.routing.ReplicatedCluster.place;
import static io.github.shardedid.routing.ReplicatedCluster.placeInside;
import static io.github.shardedid.routing.ReplicatedCluster.readOnly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Reads from hot standbys that stream from their database. */
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("quick")
class ReplicaIntegrationTests {
    private final ReplicatedCluster cluster = new ReplicatedCluster(Duration.ofSeconds(60));

    @AfterAll
    void close() {
        cluster.close();
    }

    @AfterEach
    void nothingIsHeld() {
        cluster.replay();
        assertThat(cluster.taken()).isZero();
    }

    private List<RoutingDataSource> bothWays() {
        return List.of(cluster.routed(cluster.both()), cluster.routed(cluster.both(), false));
    }

    @Test
    void readOnlyTransactionsUseTheReplicasInTurnAndEachKeepsToOne() throws SQLException {
        for (RoutingDataSource source : bothWays()) {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                try (Connection connection = readOnly(source)) {
                    Set<Integer> seen = new HashSet<>();
                    seen.add(place(connection, 0));
                    seen.add(place(connection, 1));
                    seen.add(placeInside(connection, 0));
                    seen.add(place(connection, 0));
                    assertThat(seen).hasSize(1);
                    ports.addAll(seen);
                    connection.commit();
                }
            }
            assertThat(ports.subList(0, 2)).containsExactlyInAnyOrder(cluster.port(0), cluster.port(1));
            assertThat(ports.subList(2, 4)).isEqualTo(ports.subList(0, 2));
        }
    }

    @Test
    void aSessionReadsFromTheReplicaOfTheShardOfItsTenant() throws SQLException {
        for (RoutingDataSource source : bothWays()) {
            for (boolean readOnly : new boolean[] {true, false}) {
                try (Connection connection = source.getConnection()) {
                    connection.setReadOnly(readOnly);
                    connection.setAutoCommit(false);
                    connection.setSchema(RoutingDataSource.TENANT_PLACEHOLDER + 0);
                    try (Statement statement = connection.createStatement();
                            ResultSet row =
                                    statement.executeQuery("SELECT port FROM sharded_id_shard.place WHERE port > 0")) {
                        row.next();
                        assertThat(row.getInt(1) == cluster.primaryPort()).isEqualTo(!readOnly);
                    }
                    connection.commit();
                }
            }
        }
    }

    @Test
    void aDatabaseWithoutReplicasIsReadItself() throws SQLException {
        try (Connection connection = readOnly(cluster.routed(cluster.both()))) {
            assertThat(place(connection, 2)).isEqualTo(cluster.pg2.server().port());
        }
    }

    @Test
    void aTransactionThatMayWriteNeverReadsFromAReplica() throws SQLException {
        for (RoutingDataSource source : bothWays()) {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
                TwoDatabases.insert(connection, 0, 100);
                assertThat(TwoDatabases.read(
                                connection, 0, "SELECT caption FROM sharded_id_shard.photo WHERE id = 100"))
                        .isEqualTo("new");
                assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
                connection.rollback();
            }
        }
    }

    @Test
    void inAutocommitReadOnlyConnectionsUseReplicas() throws SQLException {
        try (Connection connection = cluster.routed(cluster.both()).getConnection()) {
            assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
            connection.setReadOnly(true);
            assertThat(place(connection, 0)).isIn(cluster.port(0), cluster.port(1));
            assertThat(placeInside(connection, 0)).isIn(cluster.port(0), cluster.port(1));
            connection.setReadOnly(false);
            assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
        }
    }

    @Test
    void whatWasPreparedForAReplicaIsNotReadFromItInATransactionThatMayWrite() throws SQLException {
        try (Connection connection = cluster.routed(cluster.both()).getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setReadOnly(true);
            try (PreparedStatement prepared =
                    connection.prepareStatement("SELECT port FROM sharded_id_shard.place WHERE port > 0")) {
                connection.setReadOnly(false);
                connection.setAutoCommit(false);
                assertThatThrownBy(prepared::executeQuery)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContainingAll("database pg1", "Prepare the statement again");
                TwoDatabases.insert(connection, 0, 300);
            }
            connection.rollback();
        }
    }

    @Test
    void aScopeForTheDatabaseItselfCountsMoreAndTheTransactionStaysThere() throws SQLException {
        for (RoutingDataSource source : bothWays()) {
            try (Connection connection = readOnly(source)) {
                assertThat(place(connection, 0)).isNotEqualTo(cluster.primaryPort());
                assertThat(PrimaryReads.call(() -> unchecked(() -> place(connection, 0))))
                        .isEqualTo(cluster.primaryPort());
                assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
                connection.commit();
                assertThat(place(connection, 0)).isNotEqualTo(cluster.primaryPort());
            }
        }
    }

    @Test
    void serializableTransactionsAreReadFromTheDatabaseItself() throws SQLException {
        try (Connection connection = cluster.routed(cluster.both()).getConnection()) {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
            connection.commit();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(place(connection, 0)).isNotEqualTo(cluster.primaryPort());
        }
    }

    @Test
    void aReplicaShowsWhatItHasReplayedAndTheDatabaseItselfEverything() throws SQLException {
        cluster.pause();
        cluster.pg1.execute("INSERT INTO shard_0001.photo VALUES (1, 'just now')");
        String query = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";
        RoutingDataSource source = cluster.routed(cluster.both());

        try (Connection connection = readOnly(source)) {
            assertThat(TwoDatabases.read(connection, 1, query)).isEqualTo("no row");
            connection.commit();
            assertThat(PrimaryReads.call(() -> unchecked(() -> TwoDatabases.read(connection, 1, query))))
                    .isEqualTo("just now");
            connection.commit();
            cluster.replay();
            assertThat(TwoDatabases.read(connection, 1, query)).isEqualTo("just now");
        }
    }

    @Test
    void whatAReplicaDoesNotHaveYetIsReadFromTheDatabaseItself() throws SQLException {
        cluster.pause();
        for (int i = 0; i < 2; i++) {
            RoutingDataSource source = bothWays().get(i);
            String table = "fresh" + i;
            cluster.pg1.execute("CREATE TABLE shard_0000." + table + " AS SELECT 7 AS id, 'late' AS caption");
            try (Connection connection = readOnly(source);
                    ShardContext.Scope scope = ShardContext.open(0);
                    PreparedStatement prepared = connection.prepareStatement(
                            "SELECT caption FROM sharded_id_shard." + table + " WHERE id = ?")) {
                prepared.setFetchSize(i);
                prepared.setLong(1, 7);
                for (int again = 0; again < 2; again++) {
                    try (ResultSet rows = prepared.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getString(1)).isEqualTo("late");
                    }
                }
                assertThat(place(connection, 0)).isEqualTo(cluster.primaryPort());
                connection.commit();
            }
            try (Connection connection = source.getConnection();
                    ShardContext.Scope scope = ShardContext.open(0);
                    Statement plain = connection.createStatement()) {
                connection.setReadOnly(true);
                try (ResultSet rows = plain.executeQuery("SELECT caption FROM " + table)) {
                    assertThat(rows.next()).isTrue();
                }
            }
        }
    }

    @Test
    void aTransactionThatHasReadFromAReplicaDoesNotLeaveIt() throws SQLException {
        cluster.pause();
        cluster.pg1.execute("CREATE TABLE shard_0000.later AS SELECT 1 AS id");
        for (RoutingDataSource source : bothWays()) {
            try (Connection connection = readOnly(source)) {
                place(connection, 0);
                assertThatThrownBy(() -> TwoDatabases.read(connection, 0, "SELECT id FROM sharded_id_shard.later"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("later");
                connection.rollback();
            }
        }
    }

    @Test
    void whatIsWrongEverywhereFailsAsItDoesWithoutReplicas() throws SQLException {
        for (RoutingDataSource source : bothWays()) {
            try (Connection connection = readOnly(source)) {
                assertThatThrownBy(() -> TwoDatabases.read(connection, 0, "SELECT id FROM sharded_id_shard.nowhere"))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("42P01"));
                assertThatThrownBy(() -> place(connection, 0))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("25P02"));
                connection.rollback();
                assertThatThrownBy(() -> TwoDatabases.insert(connection, 0, 400))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("25006"));
                connection.rollback();
            }
        }
    }

    @Test
    void queriesOverSeveralShardsUseReplicasInReadOnlyTransactions() throws SQLException {
        RoutingDataSource source = cluster.routed(cluster.both());
        try (Connection connection = readOnly(source)) {
            int port = place(connection, 1);
            assertThat(portsOf(connection, "place")).containsExactlyInAnyOrder(port, port, pg2(), pg2());
            connection.commit();
            cluster.pause();
            cluster.pg1.execute(
                    "CREATE VIEW shard_0000.spot AS TABLE shard_0000.place; CREATE VIEW shard_0001.spot AS TABLE"
                            + " shard_0001.place");
            cluster.pg2.execute(
                    "CREATE VIEW shard_0002.spot AS TABLE shard_0002.place; CREATE VIEW shard_0003.spot AS TABLE"
                            + " shard_0003.place");
            assertThat(portsOf(connection, "spot"))
                    .as("behind")
                    .containsExactlyInAnyOrder(cluster.primaryPort(), cluster.primaryPort(), pg2(), pg2());
        }
        try (Connection connection = source.getConnection()) {
            assertThat(portsOf(connection, "place"))
                    .contains(cluster.primaryPort())
                    .doesNotContain(cluster.port(0), cluster.port(1));
        }
    }

    private static <T> T unchecked(Callable<T> work) {
        try {
            return work.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private int pg2() {
        return cluster.pg2.server().port();
    }

    private static List<Integer> portsOf(Connection connection, String view) throws SQLException {
        List<Integer> ports = new ArrayList<>();
        try (ShardContext.Scope scope = ShardContext.open(ShardSet.all().perShard());
                PreparedStatement statement = connection.prepareStatement("SELECT port FROM sharded_id_shard." + view);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ports.add(rows.getInt(1));
            }
        }
        return ports;
    }

    @Test
    void replicasOfADatabaseThatIsNotThereAreRefused() {
        assertThatThrownBy(() -> cluster.routed(Map.of("pg9", cluster.replicas)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("pg9", "pg1", "pg2");
    }
}
