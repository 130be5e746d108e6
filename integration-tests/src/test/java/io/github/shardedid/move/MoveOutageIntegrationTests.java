package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.topology.CurrentShardMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server stops under a move, and starts again: other instances complete the move. */
@Tag("embedded-only")
@Tag("restarts")
@Tag("slow")
class MoveOutageIntegrationTests {
    private static final Duration SERVED_AGAIN = Duration.ofSeconds(15);
    private static final Duration DONE = Duration.ofMinutes(2);

    static Stream<Arguments> outages() {
        return Stream.of("pg1", "pg2").flatMap(database -> Stream.of(
                        MoveStep.COPY,
                        MoveStep.CATCH_UP,
                        MoveStep.FENCE,
                        MoveStep.CARRY_OVER,
                        MoveStep.SWITCH,
                        MoveStep.CLEAN_UP)
                .map(step -> Arguments.of(database, step)));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void aMoveWhoseServerStopsAndStartsIsCompleted(String database, MoveStep step) {
        PostgresServer server = PostgresServers.start();
        PostgresServer shared = PostgresServers.shared(1);
        boolean source = database.equals("pg1");
        try (MovingCluster cluster = source ? new MovingCluster(server, shared) : new MovingCluster(shared, server)) {
            cluster.fill(100);
            List<String> rows = cluster.rows("pg1");
            CurrentShardMap map =
                    new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
            AtomicBoolean stopped = new AtomicBoolean();
            MoveOptions stopping = cluster.options().withListener(progress -> {
                if (progress.step() == step && stopped.compareAndSet(false, true)) {
                    server.stop();
                }
            });
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources());
                    MoveRecovery recovery =
                            new MoveRecovery(map, cluster.sources(), () -> cluster.mover(cluster.options()))) {
                assertThatThrownBy(() -> cluster.mover(stopping).move(MovingCluster.SHARD, "pg2"))
                        .isInstanceOf(RuntimeException.class);
                await().until(() -> map.get().unreachableDatabases().contains(database));
                server.start();
                await().timeout(Duration.ofMinutes(1)).until(() -> serves(cluster));
                await().timeout(DONE)
                        .until(() -> cluster.mover().moves().get(0).step().ended());
                String home = cluster.home();
                await().timeout(SERVED_AGAIN).until(() -> map.get().isServedBy(MovingCluster.SHARD, home));
                assertThat(cluster.rows(home)).isEqualTo(rows);
            }
        } finally {
            server.close();
        }
    }

    private static boolean serves(MovingCluster cluster) {
        return cluster.states().stream().anyMatch(state -> state.endsWith(" ACTIVE") || state.endsWith(" MOVING"));
    }
}
