package io.github.shardedid.routing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster gets a third database, and one instance of the application is not told of it. */
class UnknownDatabaseIntegrationTests {
    private static final String SCRIPTS = "classpath:db/moves";
    private static final String READ = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";

    private final Map<String, TestDatabase> databases = new TreeMap<>(Map.of(
            "pg1",
            PostgresServers.shared(1).newDatabase(),
            "pg2",
            PostgresServers.shared(2).newDatabase()));

    private static ClusterDefinition definition(Map<String, DataSource> sources) {
        Map<String, ShardRanges> shards = new TreeMap<>();
        sources.keySet().forEach(name -> shards.put(name, ShardRanges.parse("")));
        shards.put("pg1", ShardRanges.parse("0-1"));
        shards.put("pg2", ShardRanges.parse("2-3"));
        return new ClusterDefinition(IdLayout.DEFAULT, 4, shards);
    }

    @AfterEach
    void drop() {
        databases.values().forEach(TestDatabase::drop);
    }

    private Map<String, DataSource> sources() {
        Map<String, DataSource> sources = new TreeMap<>();
        databases.forEach((name, database) -> sources.put(name, database.dataSource()));
        return sources;
    }

    private Provisioner provisioner(Map<String, DataSource> sources) {
        return new Provisioner(definition(sources), sources, ShardMigrations.at(SCRIPTS));
    }

    private RoutingDataSource instance(Map<String, DataSource> sources) {
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition(sources), sources));
        return new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, map),
                sources,
                RoutingOptions.DEFAULT.withFenceWait(Duration.ofMinutes(1)));
    }

    private void move(int shard, String to) {
        Map<String, ReplicationSource> reach = new TreeMap<>();
        databases.forEach((name, database) -> {
            PostgresServer server = database.server();
            reach.put(
                    name,
                    new ReplicationSource(
                            server.peerHost(),
                            server.peerPort(),
                            database.name(),
                            server.username(),
                            server.password()));
        });
        new ShardMover(
                        definition(sources()),
                        sources(),
                        ShardMigrations.at(SCRIPTS),
                        MoveOptions.DEFAULT.withReplicationSources(reach))
                .move(shard, to);
    }

    private static String read(RoutingDataSource routed, int shard, boolean autoCommit) throws SQLException {
        try (Connection connection = routed.getConnection()) {
            connection.setAutoCommit(autoCommit);
            return TwoDatabases.read(connection, shard, READ);
        }
    }

    @Test
    void whoDoesNotKnowTheNewHomeSaysSoAndServesTheOtherShards() throws SQLException {
        provisioner(sources()).provision();
        Map<String, DataSource> two = sources();
        RoutingDataSource unaware = instance(two);
        databases.put("pg3", PostgresServers.shared(1).newDatabase());
        provisioner(sources()).provision();
        RoutingDataSource aware = instance(sources());

        move(0, "pg3");

        for (RoutingDataSource routed : List.of(unaware, instance(two))) {
            for (boolean autoCommit : new boolean[] {true, false, true}) {
                assertThatThrownBy(() -> read(routed, 0, autoCommit))
                        .isInstanceOf(DatabaseUnavailableException.class)
                        .hasMessageContainingAll(
                                "Shard 0",
                                "from database pg1",
                                "to database pg3",
                                "[pg1, pg2]",
                                "a data source for pg3");
            }
            for (int shard = 1; shard < 4; shard++) {
                assertThat(read(routed, shard, false)).isEqualTo("first");
            }
        }
        assertThat(read(aware, 0, false)).isEqualTo("first");
        assertThat(read(instance(sources()), 0, true))
                .as("started with the entry")
                .isEqualTo("first");
        provisioner(two).provision();
    }

    /** Such a map was made before the shard came back to a database that had been its home. */
    @Test
    void nothingIsSentByAMapThatIsTooOld() throws SQLException {
        provisioner(sources()).provision();
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition(sources()), sources()));
        RoutingOptions options = RoutingOptions.DEFAULT;
        RoutingDataSource asleep = new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, map),
                sources(),
                new RoutingOptions(
                        true,
                        Map.of(),
                        options.scatter(),
                        Map.of(),
                        null,
                        options.fenceWait(),
                        Duration.ofNanos(1),
                        options.listener(),
                        options.commonSchemas()));
        move(0, "pg2");
        requireNonNull(databases.get("pg1"))
                .execute("CREATE SCHEMA shard_0000; CREATE TABLE shard_0000.photo (id bigint, caption text)");

        assertThat(read(new RoutingDataSource(new Cluster(IdLayout.DEFAULT, map), sources(), options), 0, false))
                .as("what would be seen otherwise: a copy that is not complete yet")
                .isEqualTo("no row");
        assertThat(read(asleep, 0, false)).isEqualTo("first");
        assertThat(map.get().databaseOf(0)).isEqualTo("pg2");
    }
}
