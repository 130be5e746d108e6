package io.github.shardedid.routing;

import static io.github.shardedid.routing.ReplicatedCluster.readOnly;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shard 1 has left pg1, which has replicas, for pg2; this application has not heard of it. */
@Tag("restarts")
@Tag("embedded-only")
class MovedReplicaIntegrationTests {
    private static final String QUERY = "SELECT caption FROM sharded_id_shard.photo WHERE id = 900";

    private final ReplicatedCluster cluster = new ReplicatedCluster(Duration.ofSeconds(60));
    private final RoutingDataSource routed = cluster.routed(cluster.both());

    @AfterEach
    void close() {
        assertThat(cluster.taken()).isZero();
        cluster.close();
    }

    /** As a move leaves it. */
    private void move() {
        cluster.pg1.execute("ALTER SCHEMA shard_0001 RENAME TO shard_0001_fenced_1;"
                + " UPDATE sharded_id.shard SET state = 'MOVED' WHERE shard = 1");
        cluster.pg2.execute("CREATE SCHEMA shard_0001;"
                + " CREATE TABLE shard_0001.photo AS SELECT 900::bigint AS id, 'new' AS caption;"
                + " INSERT INTO sharded_id.shard VALUES (1, 2, 'ACTIVE', NULL)");
    }

    private String readFromReplica() throws SQLException {
        try (Connection connection = readOnly(routed)) {
            String caption = TwoDatabases.read(connection, 1, QUERY);
            connection.commit();
            return caption;
        }
    }

    @Test
    void aReplicaThatIsBehindIsReadByNobodyWhoKnowsOfTheMove() throws SQLException {
        cluster.pg1.execute("INSERT INTO shard_0001.photo VALUES (900, 'old')");
        cluster.replay();
        cluster.pause();
        move();
        assertThat(readFromReplica())
                .as("by an old map, of a replica that is behind")
                .isEqualTo("old");
        try (Connection connection = routed.getConnection()) {
            assertThat(TwoDatabases.read(connection, 1, QUERY))
                    .as("never of a database")
                    .isEqualTo("new");
        }
        assertThat(readFromReplica()).as("by a map that knows").isEqualTo("new");
        assertThat(cluster.standbys.get(0).query("SELECT caption FROM shard_0001.photo WHERE id = 900"))
                .as("what the replica still says")
                .containsExactly("old");
        cluster.replay();
        assertThat(readFromReplica()).isEqualTo("new");
    }

    @Test
    void aReplicaThatHasReplayedTheFenceLeadsToTheNewHome() throws SQLException {
        move();
        cluster.replay();
        assertThat(readFromReplica()).isEqualTo("new");
        assertThat(cluster.cluster.map().get().databaseOf(1)).isEqualTo("pg2");
    }
}
