package io.github.shardedid.routing;

import static io.github.shardedid.routing.ReplicatedCluster.readOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
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

    /** PostgreSQL leaves a schema that does not exist out of the search path, and would find the table of the common schema. */
    @Test
    void aTableOfACommonSchemaIsNotTakenForThatOfAShard() throws SQLException {
        String query = "SELECT caption FROM photo WHERE id = 900";
        cluster.pg1.execute(
                "CREATE TABLE public.photo AS SELECT 900::bigint AS id, 'common' AS caption;"
                        + " INSERT INTO shard_0001.photo VALUES (900, 'old'); INSERT INTO shard_0000.photo VALUES (900, 'other')");
        cluster.replay();
        cluster.pause();
        try (Connection connection = routed.getConnection()) {
            assertThat(TwoDatabases.read(connection, 1, query)).isEqualTo("old");
            move();
            assertThat(TwoDatabases.read(connection, 1, query))
                    .as("by an old map")
                    .isEqualTo("new");
            assertThat(TwoDatabases.read(connection, 0, query)).isEqualTo("other");
        }
        cluster.pg1.execute("ALTER SCHEMA shard_0000 RENAME TO shard_0000_fenced_1;"
                + " UPDATE sharded_id.shard SET state = 'MOVED' WHERE shard = 0");
        cluster.pg2.execute("CREATE SCHEMA shard_0000; CREATE TABLE shard_0000.photo (id bigint, caption text);"
                + " INSERT INTO sharded_id.shard VALUES (0, 2, 'ACTIVE', NULL)");
        try (ShardContext.Scope scope = ShardContext.open(Target.shard(0));
                Connection connection = routed.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("INSERT INTO photo VALUES (901, 'written by an old map')"))
                    .isOne();
        }
        assertThat(cluster.pg2.query("SELECT id FROM shard_0000.photo")).containsExactly("901");
        assertThat(cluster.pg1.query("SELECT id FROM public.photo")).containsExactly("900");
    }

    @Test
    void aTableOfACommonSchemaIsNotTakenForThatOfAShardThatAReplicaDoesNotHaveYet() throws SQLException {
        cluster.pg1.execute("CREATE TABLE public.photo AS SELECT 900::bigint AS id, 'common' AS caption");
        cluster.replay();
        cluster.pause();
        new Provisioner(
                        new ClusterDefinition(
                                IdLayout.DEFAULT,
                                5,
                                Map.of("pg1", ShardRanges.parse("0-1,4"), "pg2", ShardRanges.parse("2-3"))),
                        Map.of("pg1", cluster.pg1.dataSource(), "pg2", cluster.pg2.dataSource()),
                        ShardMigrations.none())
                .provision();
        cluster.pg1.execute("CREATE TABLE shard_0004.photo AS SELECT 900::bigint AS id, 'new' AS caption");
        CurrentShardMap map = cluster.cluster.map();
        map.refreshSince(map.nanoTime());
        try (Connection connection = readOnly(routed)) {
            assertThat(TwoDatabases.read(connection, 4, "SELECT caption FROM photo"))
                    .isEqualTo("new");
            connection.commit();
        }
    }

    @Test
    void aReplicaThatHasReplayedTheFenceLeadsToTheNewHome() throws SQLException {
        move();
        cluster.replay();
        assertThat(readFromReplica()).isEqualTo("new");
        assertThat(cluster.cluster.map().get().databaseOf(1)).isEqualTo("pg2");
    }
}
