package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A server whose workers are all at work on other moves for a while: a plan waits, and does not fail. */
@Tag("restarts")
@Tag("embedded-only")
@Tag("since-16")
class PlansWaitForRoomIntegrationTests {
    private static final String WORKING = "SELECT count(*) FROM pg_stat_subscription WHERE pid IS NOT NULL";

    @Test
    void aPlanWaitsForWorkersThatOtherMovesUse() throws Exception {
        try (PostgresServer tight = PostgresServers.start(Map.of("max_logical_replication_workers", "4"));
                MovingCluster cluster = new MovingCluster(PostgresServers.shared(1), tight)) {
            List<String> others = List.of("sharded_id_move_77_a", "sharded_id_move_78_b", "sharded_id_move_79_c");
            others.forEach(other -> subscribe(cluster, other));
            await().until(() -> cluster.database("pg2").queryLong(WORKING) == others.size());
            ShardMover mover = cluster.mover(cluster.options().withConcurrentMoves(2));
            assertThat(mover.check(MovingCluster.SHARD, "pg2")).singleElement().satisfies(line -> assertThat(line)
                    .contains("max_logical_replication_workers is 4, of which 1 are in use")
                    .contains("Or wait"));

            ListAppender<ILoggingEvent> logged = new ListAppender<>();
            Logger logger = (Logger) LoggerFactory.getLogger("io.github.shardedid.move.PlanRun");
            logged.start();
            logger.addAppender(logged);
            CompletableFuture<List<Move>> moves =
                    OwnThread.supply(() -> mover.run(mover.begin(MoveGoal.drain("pg1"), false)));
            await().until(() -> moves.isDone() || !logged.list.isEmpty());
            logger.detachAppender(logged);
            assertThat(moves).isNotDone();
            others.forEach(other -> cluster.database("pg2").execute("DROP SUBSCRIPTION " + other));

            assertThat(moves.get(3, TimeUnit.MINUTES)).hasSize(2);
            assertThat(mover.plans()).singleElement().matches(plan -> plan.state() == MovePlan.State.DONE);
            cluster.database("pg1")
                    .execute("DROP PUBLICATION sharded_id_move_77_a, sharded_id_move_78_b," + " sharded_id_move_79_c");
            assertThat(cluster.leftovers()).isEmpty();
        }
    }

    /** As the move of another process, with nothing to copy. */
    private static void subscribe(MovingCluster cluster, String name) {
        TestDatabase source = cluster.database("pg1");
        source.execute("CREATE PUBLICATION " + name);
        cluster.database("pg2")
                .execute("CREATE SUBSCRIPTION " + name + " CONNECTION 'host=localhost port="
                        + source.server().port() + " dbname=" + source.name() + " user="
                        + source.server().username() + " password="
                        + source.server().password() + "' PUBLICATION " + name);
    }
}
