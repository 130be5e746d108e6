package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server stops in a step of a move, and starts again: the move is completed, by its mover or by another instance. */
@Tag("embedded-only")
@Tag("restarts")
@TestInstance(Lifecycle.PER_CLASS)
class MoveOutageIntegrationTests {
    private static final boolean LONGER = Boolean.getBoolean("sharded-id.test.longer");
    private static final Logger LOG = LoggerFactory.getLogger(MoveOutageIntegrationTests.class);

    /** The steps in which the source is stopped; in the others it is the target. */
    private static final Set<MoveStep> OF_THE_SOURCE = EnumSet.of(MoveStep.PUBLISH, MoveStep.FENCE, MoveStep.SWITCH);

    private final List<String> figures = new ArrayList<>();
    private final PostgresServer server = PostgresServers.start();

    @AfterAll
    void close() {
        LOG.info(
                "Served again, and the move ended, after the start of the stopped server:\n{}",
                String.join("\n", figures));
        server.close();
    }

    /** Each step, with the source or the target; with both only if there is time. */
    static Stream<Arguments> outages() {
        return Stream.of(MoveStep.values())
                .filter(step -> step.compareTo(MoveStep.CLEAN_UP) <= 0)
                .flatMap(step -> Stream.of("pg1", "pg2")
                        .filter(database -> LONGER || database.equals("pg1") == OF_THE_SOURCE.contains(step))
                        .map(database -> Arguments.of(database, step)));
    }

    @ParameterizedTest
    @MethodSource("outages")
    @Timeout(180)
    void aMoveWhoseServerStopsAndStartsIsCompleted(String database, MoveStep step) {
        PostgresServer shared = PostgresServers.shared(1);
        try (MovingCluster cluster =
                database.equals("pg1") ? new MovingCluster(server, shared) : new MovingCluster(shared, server)) {
            assertCompleted(cluster, database, step);
        }
    }

    private void assertCompleted(MovingCluster cluster, String database, MoveStep step) {
        cluster.fill(100);
        List<String> rows = cluster.rows("pg1");
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicBoolean down = new AtomicBoolean();
        MoveOptions stopping = cluster.options().withListener(progress -> {
            if (progress.step() == step && stopped.compareAndSet(false, true)) {
                server.stop();
                down.set(true);
            }
        });
        Thread mover = new Thread(() -> move(cluster, stopping), "mover");
        mover.setDaemon(true);
        try (ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources());
                ClusterRecovery recovery =
                        new ClusterRecovery(map, cluster.sources(), () -> cluster.mover(cluster.options()), null)) {
            mover.start();
            await().until(down::get);
            await().until(() -> map.get().unreachableDatabases().contains(database));
            server.start();
            down.set(false);
            long fault = System.nanoTime();
            await().until(() -> serves(cluster));
            long served = System.nanoTime();
            await().until(() -> cluster.mover().moves().get(0).step().ended());
            figures.add("%s %s: %,d ms, %,d ms"
                    .formatted(database, step, (served - fault) / 1_000_000, (System.nanoTime() - fault) / 1_000_000));
            String home = cluster.home();
            await().until(() -> map.get().isServedBy(MovingCluster.SHARD, home));
            assertThat(cluster.rows(home)).isEqualTo(rows);
            assertThat(cluster.leftovers()).isEmpty();
        } finally {
            mover.interrupt();
            if (down.get()) {
                server.start();
            }
        }
    }

    private static void move(MovingCluster cluster, MoveOptions options) {
        try {
            cluster.mover(options).move(MovingCluster.SHARD, "pg2");
        } catch (RuntimeException e) {
            LOG.info("The mover has stopped: {}", e.getMessage());
        }
    }

    private static boolean serves(MovingCluster cluster) {
        return cluster.states().stream().anyMatch(state -> state.endsWith(" ACTIVE") || state.endsWith(" MOVING"));
    }
}
