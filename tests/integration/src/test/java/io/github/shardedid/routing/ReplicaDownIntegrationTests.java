package io.github.shardedid.routing;

import static io.github.shardedid.routing.ReplicatedCluster.place;
import static io.github.shardedid.routing.ReplicatedCluster.placeInside;
import static io.github.shardedid.routing.ReplicatedCluster.readOnly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Replicas that are down, or are none. */
@Tag("restarts")
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicaDownIntegrationTests {
    private final ReplicatedCluster cluster = new ReplicatedCluster(Duration.ofSeconds(3));
    private final Events events = new Events();

    /** What a listener is told. */
    private static final class Events implements RoutingListener {
        final ConcurrentLinkedQueue<String> changes = new ConcurrentLinkedQueue<>();

        @Override
        public void replicaChanged(String database, int replica, boolean usable) {
            changes.add(database + " " + replica + (usable ? " up" : " down"));
        }
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @AfterEach
    void nothingIsHeld() {
        assertThat(cluster.taken()).isZero();
        cluster.taps.forEach(WireTap::restore);
        cluster.primaryTap.restore();
    }

    private Map<String, List<DataSource>> both() {
        cluster.listener = events;
        return cluster.both();
    }

    private int read(RoutingDataSource source) throws SQLException {
        try (Connection connection = readOnly(source)) {
            int port = place(connection, 0);
            assertThat(placeInside(connection, 1)).isEqualTo(port);
            connection.commit();
            return port;
        }
    }

    @Test
    void theDatabaseItselfIsReadWhileReplicasAreDownAndTheyAreTakenInWhenTheyAreBack() throws SQLException {
        for (boolean deferredBegin : new boolean[] {true, false}) {
            events.changes.clear();
            RoutingDataSource source = cluster.routed(both(), deferredBegin);
            assertThat(read(source)).isNotEqualTo(cluster.primaryPort());
            assertThat(read(source)).isNotEqualTo(cluster.primaryPort());

            // The first calls meet connections that are broken, or none.
            cluster.taps.forEach(WireTap::cut);
            for (int i = 0; i < 10; i++) {
                assertThat(read(source)).isEqualTo(cluster.primaryPort());
            }
            assertThat(events.changes).containsExactlyInAnyOrder("pg1 0 down", "pg1 1 down");

            cluster.taps.forEach(WireTap::restore);
            Awaitility.await().untilAsserted(() -> {
                cluster.clock.advance(Duration.ofSeconds(10));
                read(source);
                assertThat(events.changes)
                        .containsExactlyInAnyOrder("pg1 0 down", "pg1 1 down", "pg1 0 up", "pg1 1 up");
            });
            assertThat(read(source)).isNotEqualTo(cluster.primaryPort());
        }
    }

    @Test
    void whileItRestsAReplicaIsNotAsked() throws SQLException {
        RoutingDataSource source = cluster.routed(both());
        cluster.taps.forEach(WireTap::cut);
        assertThat(read(source)).isEqualTo(cluster.primaryPort());
        cluster.taps.forEach(WireTap::restore);
        cluster.taps.forEach(WireTap::reset);

        assertThat(read(source)).isEqualTo(cluster.primaryPort());

        assertThat(cluster.taps.get(0).turns() + cluster.taps.get(1).turns()).isZero();
    }

    @Test
    void ofTwoReplicasTheOneThatIsUpServes() throws SQLException {
        RoutingDataSource source = cluster.routed(both());
        cluster.taps.get(0).cut();

        for (int i = 0; i < 6; i++) {
            assertThat(read(source)).isEqualTo(cluster.port(1));
        }
    }

    @Test
    void replicasAreReadWhileTheirDatabaseIsDown() throws SQLException {
        RoutingDataSource source = cluster.routed(both());
        assertThat(read(source)).isNotEqualTo(cluster.primaryPort());
        cluster.primaryTap.cut();

        assertThat(read(source)).isNotEqualTo(cluster.primaryPort());
        try (Connection connection = source.getConnection()) {
            assertThatThrownBy(() -> place(connection, 0)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aTransactionWhoseReplicaBreaksAfterAnAnswerFails() throws SQLException {
        RoutingDataSource source = cluster.routed(both());
        try (Connection connection = readOnly(source)) {
            placeInside(connection, 0);
            cluster.taps.forEach(WireTap::cut);

            assertThatThrownBy(() -> placeInside(connection, 0))
                    .isInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("pg1 (its replica");
            connection.rollback();
        }
    }

    @Test
    void theDatabaseItselfIsNoReplica() throws SQLException {
        refused(
                cluster.pool(cluster.primaryTap.url(cluster.pg1.name())),
                "Replica 0 of database pg1",
                "not in recovery");
    }

    @Test
    void anotherDatabaseOfTheStandbyIsNoReplica() throws SQLException {
        String standby = cluster.taps.get(0).url("postgres");
        refused(cluster.pool(standby), "Replica 0 of database pg1", "no table sharded_id.cluster");
    }

    @Test
    void aStandbyOfAnotherClusterIsNoReplica() throws SQLException {
        TestDatabase other = cluster.server().newDatabase();
        other.execute("CREATE SCHEMA sharded_id; CREATE TABLE sharded_id.cluster AS SELECT"
                + " '6f0c0b4e-1f0a-4f39-8a7d-3c5d8d4fb0a1'::uuid AS cluster_id, 'pg1' AS database_name");
        cluster.replay();
        String standby = cluster.taps.get(1).url(other.name());
        refused(cluster.pool(standby), "6f0c0b4e-1f0a-4f39-8a7d-3c5d8d4fb0a1 pg1", "Correct the replica's URL");
    }

    private void refused(DataSource replica, String... words) throws SQLException {
        cluster.listener = events;
        RoutingDataSource source = cluster.routed(Map.of("pg1", List.of(replica)));

        assertThatThrownBy(source::checkReplicas)
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.REPLICA)
                .hasMessageContainingAll(words);
        assertThat(read(source)).isEqualTo(cluster.primaryPort());
    }

    @Test
    void replicasThatAreRightOrDownPassTheCheck() {
        cluster.taps.get(0).cut();

        cluster.routed(both()).checkReplicas();

        assertThat(events.changes).contains("pg1 0 down");
    }
}
