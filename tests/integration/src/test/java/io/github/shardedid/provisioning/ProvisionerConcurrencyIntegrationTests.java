package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ProvisionerConcurrencyIntegrationTests {
    @Test
    void instancesThatStartAtOnceMakeOneCluster() throws Exception {
        TestCluster cluster = TestCluster.ofTwo();
        int instances = 5;
        ExecutorService threads = Executors.newFixedThreadPool(instances);
        List<Future<Boolean>> runs = new ArrayList<>();
        Callable<Boolean> run = () -> {
            cluster.provision(TestCluster.GOOD);
            return true;
        };
        for (int i = 0; i < instances; i++) {
            runs.add(threads.submit(run));
        }
        for (Future<Boolean> one : runs) {
            assertThat(one.get()).isTrue();
        }
        threads.shutdownNow();
        assertWhole(cluster);
    }

    @Test
    void twoProcessesThatStartAtOnceMakeOneCluster(@TempDir Path directory) throws Exception {
        TestCluster cluster = TestCluster.ofTwo();
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            List<String> command = JavaCommand.of(ProvisioningProcess.class.getName());
            cluster.databases()
                    .forEach((name, database) -> command.addAll(List.of(
                            name,
                            database.url(),
                            database.server().username(),
                            database.server().password(),
                            String.valueOf(cluster.ranges().get(name)))));
            // Not to the standard output of this JVM, over which it tells the build what has become of its tests.
            processes.add(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("process-" + i + ".log").toFile())
                    .start());
        }
        for (int i = 0; i < 2; i++) {
            assertThat(processes.get(i).waitFor())
                    .as(Files.readString(directory.resolve("process-" + i + ".log")))
                    .isZero();
        }
        assertWhole(cluster);
    }

    @Test
    void aRunThatIsKilledAnywhereIsCompletedByTheNext() {
        long seed = System.nanoTime();
        System.err.println("seed " + seed);
        Random random = new Random(seed);
        int killed = 0;
        for (int round = 0; round < 12; round++) {
            TestCluster cluster = TestCluster.ofTwo();
            for (int run = 0; run < 3; run++) {
                killed += runKilled(cluster, random.nextInt(1, 60));
            }
            cluster.provision(TestCluster.GOOD);
            assertWhole(cluster);
        }
        assertThat(killed).isGreaterThan(12);
    }

    /** After some calls all connections die at once, as those of a killed process do. */
    private static int runKilled(TestCluster cluster, int callsLeft) {
        try {
            cluster.provisioner(MortalSource.of(cluster, callsLeft), TestCluster.GOOD)
                    .provision();
            return 0;
        } catch (RuntimeException e) {
            return 1;
        }
    }

    private static void assertWhole(TestCluster cluster) {
        assertThat(cluster.map().shardsOf("pg1")).containsExactly(0, 1, 2, 3);
        assertThat(cluster.map().shardsOf("pg2")).containsExactly(4, 5);
        for (int shard = 0; shard < 6; shard++) {
            TestDatabase database = cluster.database(shard < 4 ? "pg1" : "pg2");
            long id = database.queryLong("INSERT INTO shard_000" + shard + ".photo DEFAULT VALUES RETURNING id");
            assertThat(IdLayout.DEFAULT.shardOf(id)).isEqualTo(shard);
        }
        assertThat(cluster.databases().values().stream()
                        .flatMap(database ->
                                database.query("SELECT cluster_id FROM sharded_id.cluster WHERE provisioned").stream()))
                .hasSize(2)
                .containsOnly(cluster.database("pg1")
                        .query("SELECT cluster_id FROM sharded_id.cluster")
                        .get(0));
    }
}
