package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.ClusterRecovery;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.provisioning.map.DatabaseShardMapSource;
import io.github.shardedid.provisioning.map.ShardMapKeeper;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that change jvm-nodes are killed (SIGKILL) within the change, while sessions and JVMs make ids: another instance completes
 * each change by itself, and no id comes twice.
 */
@Tag("attack")
@Tag("embedded-only")
class NodesChangeKilledIntegrationTests {
    private static final Duration WORKING = Duration.ofMinutes(2);
    private static final String BEGINS = "SET changing_to = ?";
    private static final String CLOSES = "close_leases";
    private static final String ENDS = "SET jvm_nodes = ?";
    private static final String STORED =
            "SELECT jvm_nodes || coalesce(' to ' || changing_to, '') FROM sharded_id.cluster";
    private static final int ENOUGH = 1_000;

    @TempDir
    private Path directory;

    private final long seed = AttackSettings.seed();
    private int started;

    @Test
    void aChangeWhoseProcessIsKilledIsCompletedByAnotherInstanceAndNoIdComesTwice() throws Exception {
        try (TestCluster cluster =
                        new TestCluster(IdLayout.DEFAULT.withJvmNodes(32), Place.SHARDS, 2, "classpath:db/attack");
                NodesAttack attack = NodesAttack.onServersClock(cluster, seed)) {
            attack.sql(Place.all());
            attack.database(Place.all());
            awaitLeases(attack, 32);
            Map<String, DataSource> sources = sources(cluster);
            CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), sources));
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, sources);
                    ClusterRecovery recovery = new ClusterRecovery(
                            map,
                            sources,
                            () -> {
                                throw new IllegalStateException("No shard moves.");
                            },
                            new Provisioner(
                                    cluster.definition(), sources, ShardMigrations.at("classpath:db/attack")))) {
                // One database is complete, the other is not.
                killed(cluster, 16, "pg1", "after", ENDS, List.of("16", "32 to 16"));
                awaitLeases(attack, 16);
                // Both have begun; the leases of some shards are closed.
                killed(cluster, 0, "pg2", "before", CLOSES, List.of("16 to 0", "16 to 0"));
                // One database has begun, the other has not. Leases begin when the ids of now are in the past.
                killed(cluster, 32, "pg1", "after", BEGINS, List.of("0 to 32", "0"));
            }
            assertThat(HandedIds.duplicates(attack.stop()))
                    .as("duplicates, seed %s", seed)
                    .isEmpty();
        }
    }

    private static Map<String, DataSource> sources(TestCluster cluster) {
        Map<String, DataSource> sources = new TreeMap<>();
        cluster.databases().forEach(database -> sources.put("pg" + (sources.size() + 1), database.dataSource()));
        return sources;
    }

    private void killed(
            TestCluster cluster, int nodes, String database, String moment, String statement, List<String> left)
            throws IOException {
        WorkerOptions options = options(cluster);
        Files.write(
                NodesWorker.orders(directory, options.number()),
                List.of(Integer.toString(nodes), database, moment, statement));
        Path there = NodesWorker.log(directory, options.number());
        WorkerProcess process = WorkerProcess.start(NodesWorker.class, options);
        await().timeout(WORKING).until(() -> Files.exists(there) || !process.isAlive());
        assertThat(there).as("the process has come to the moment").exists();
        assertThat(stored(cluster)).isEqualTo(left);
        process.kill();

        await().until(() -> stored(cluster).equals(List.of("" + nodes, "" + nodes)));
    }

    private static List<String> stored(TestCluster cluster) {
        List<String> stored = new ArrayList<>();
        cluster.databases().forEach(database -> stored.addAll(database.query(STORED)));
        return stored;
    }

    private WorkerOptions options(TestCluster cluster) {
        Map<String, WorkerOptions.Home> homes = new LinkedHashMap<>();
        cluster.definition().initialShards().forEach((name, shards) -> {
            TestDatabase database = cluster.databases().get(homes.size());
            homes.put(
                    name,
                    new WorkerOptions.Home(
                            database.url(),
                            database.server().username(),
                            database.server().password(),
                            shards));
        });
        return new WorkerOptions(directory, started++, seed, Duration.ofSeconds(2), homes);
    }

    /** A JVM that is configured with the number makes ids under leases in all places. */
    private static void awaitLeases(NodesAttack attack, int nodes) {
        HandedIds ids = attack.jvm(nodes);
        await().timeout(WORKING).until(() -> Place.all().stream().allMatch(place -> ids.upperHalf(place) > ENOUGH));
    }
}
