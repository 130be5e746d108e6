package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that moves a shard dies, and other instances complete the move. */
@Tag("embedded-only")
class MoveRecoveryIntegrationTests {

    private final AtomicInteger movers = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private @Nullable String role;
    private MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    /** Nothing of the mover catches it. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** An instance of the application. */
    private final class Instance implements AutoCloseable {
        private final CurrentShardMap map =
                new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        private final ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources());
        private final ClusterRecovery recovery = new ClusterRecovery(
                map,
                counted(),
                () -> {
                    movers.incrementAndGet();
                    return cluster.mover();
                },
                null);

        @Override
        public void close() {
            recovery.close();
            keeper.close();
        }
    }

    /** Count how often they are asked. */
    private Map<String, DataSource> counted() {
        Map<String, DataSource> counted = new TreeMap<>();
        cluster.sources()
                .forEach((name, source) -> counted.put(name, (DataSource) Proxy.newProxyInstance(
                        DataSource.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (proxy, method, arguments) -> {
                            Connection connection = source.getConnection();
                            if (role != null) {
                                connection.createStatement().execute("SET ROLE " + role);
                            }
                            looks.incrementAndGet();
                            return connection;
                        })));
        return counted;
    }

    private void killAt(MoveStep step) {
        MoveOptions killed = cluster.options().withListener(progress -> {
            if (progress.step() == step) {
                throw new Killed();
            }
        });
        assertThatThrownBy(() -> cluster.mover(killed).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(Killed.class);
    }

    private Move journalled() {
        List<Move> moves = cluster.mover().moves();
        assertThat(moves).hasSize(1);
        return moves.get(0);
    }

    private void assertCompleted(MoveStep step) {
        cluster.fill(100);
        List<String> rows = cluster.rows("pg1");
        killAt(step);
        try (Instance first = new Instance();
                Instance second = new Instance()) {
            await().until(() -> !cluster.states().contains("pg1 1 FENCED"));
            await().until(() -> journalled().step() == MoveStep.DONE);
            await().until(() -> first.map.get().isServedBy(MovingCluster.SHARD, "pg2")
                    && second.map.get().isServedBy(MovingCluster.SHARD, "pg2"));
        }
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    @Tag("quick")
    void aMoveThatIsKilledBehindTheFenceIsResumedByOneOfTwoInstances() {
        assertCompleted(MoveStep.CARRY_OVER);
    }

    @Tag("attack")
    @ParameterizedTest
    @EnumSource(
            value = MoveStep.class,
            names = {"PREPARE", "PUBLISH", "COPY", "CATCH_UP", "FENCE", "SWITCH", "CLEAN_UP"})
    void aMoveThatIsKilledAtAnyOtherStepIsResumed(MoveStep step) {
        assertCompleted(step);
    }

    /** As if the move had begun long ago; and as long as another shard is fenced, each instance looks every second. */
    private void hurry() {
        cluster.database("pg1")
                .execute("UPDATE sharded_id.move SET changed = changed - interval '1 minute';"
                        + " UPDATE sharded_id.shard SET state = 'FENCING' WHERE shard = 0");
    }

    private void awaitLooks() {
        await().until(() -> looks.get() > 3 * cluster.sources().size());
    }

    @Test
    void aMoveThatIsBeingMadeIsLeftToItsProcess() throws InterruptedException {
        CountDownLatch looked = new CountDownLatch(1);
        MoveOptions slow = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.COPY && looked.getCount() > 0) {
                hurry();
                awaitLooks();
                looked.countDown();
            }
        });
        try (Instance other = new Instance()) {
            assertThat(cluster.mover(slow).move(MovingCluster.SHARD, "pg2").step())
                    .isEqualTo(MoveStep.DONE);
            assertThat(looked.getCount()).isZero();
        }
        assertThat(movers).hasValue(0);
    }

    @Test
    void aMoveThatHasStoppedForAReasonIsLeftAlone() {
        killAt(MoveStep.CATCH_UP);
        cluster.database("pg1").execute("UPDATE sharded_id.move SET failure = 'the copies differ'");
        hurry();
        try (Instance instance = new Instance()) {
            awaitLooks();
        }
        assertThat(movers).hasValue(0);
        assertThat(journalled().failure()).isEqualTo("the copies differ");
        cluster.mover().abort(MovingCluster.SHARD);
    }

    @Test
    void aRoleThatMayNotMoveShardsLeavesThemAlone() {
        killAt(MoveStep.CARRY_OVER);
        hurry();
        role = "sharded_id_reader";
        cluster.sources().keySet().forEach(name -> cluster.database(name)
                .execute(
                        "DO $$ BEGIN CREATE ROLE sharded_id_reader; EXCEPTION WHEN duplicate_object OR unique_violation"
                                + " THEN NULL; END $$; GRANT USAGE ON SCHEMA sharded_id TO sharded_id_reader;"
                                + " GRANT SELECT ON ALL TABLES IN SCHEMA sharded_id TO sharded_id_reader"));
        try (Instance instance = new Instance()) {
            await().until(() -> looks.get() >= 2 && instance.map.isFencedFor(1, Duration.ofSeconds(3)));
            assertThat(looks).as("each database is asked once").hasValue(2);
        }
        assertThat(movers).hasValue(0);
        assertThat(cluster.states()).contains("pg1 1 FENCED");
        cluster.mover().abort(MovingCluster.SHARD);
    }

    @Test
    void aMoveThatIsInterruptedByAShutdownIsGoneOnWithElsewhere() throws InterruptedException {
        cluster.fill(20);
        MoveOptions interrupted = cluster.options().withListener(progress -> {
            if (progress.step() == MoveStep.COPY) {
                Thread.currentThread().interrupt();
            }
        });
        Thread moving = new Thread(
                () -> assertThatThrownBy(() -> cluster.mover(interrupted).move(MovingCluster.SHARD, "pg2"))
                        .isInstanceOf(MoveUnfinishedException.class));
        moving.start();
        moving.join();
        assertThat(journalled().step().ended()).isFalse();
        assertThat(journalled().failure()).isNull();
        try (Instance instance = new Instance()) {
            await().until(() -> journalled().step() == MoveStep.DONE);
        }
        assertThat(cluster.leftovers()).isEmpty();
    }

    /** Of a third database. */
    private void assertServedAgainDespite(DataSource third) {
        killAt(MoveStep.CARRY_OVER);
        Map<String, DataSource> sources = cluster.sources();
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), sources));
        Map<String, ShardRanges> shards = new TreeMap<>(cluster.definition().initialShards());
        shards.put("pg3", ShardRanges.NONE);
        sources.put("pg3", third);
        ShardMover mover = new ShardMover(
                new ClusterDefinition(cluster.definition().layout(), 4, shards),
                sources,
                ShardMigrations.at(MovingCluster.SCRIPTS),
                cluster.options());
        try (ClusterRecovery recovery = new ClusterRecovery(map, sources, () -> mover, null)) {
            await().until(() -> !cluster.states().contains("pg1 1 FENCED"));
            await().until(() -> journalled().step() == MoveStep.DONE);
        }
    }

    @Test
    void anotherDatabaseThatIsSilentDelaysNoMove() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setURL("jdbc:postgresql://localhost:" + silent.getLocalPort() + "/silent");
            assertServedAgainDespite(source);
        }
    }

    @Test
    void anotherDatabaseWhosePoolThrowsUncheckedExceptionsDelaysNoMove() {
        assertServedAgainDespite((DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("The pool could not be initialized");
                }));
    }

    @Tag("restarts")
    @Test
    void aMoveWhoseTargetIsDownIsAbortedIfTheShardIsFenced() {
        PostgresServer server = PostgresServers.start();
        MovingCluster shared = cluster;
        try (MovingCluster other = new MovingCluster(PostgresServers.shared(1), server)) {
            cluster = other;
            cluster.fill(50);
            List<String> rows = cluster.rows("pg1");
            try (Instance instance = new Instance()) {
                killAt(MoveStep.CARRY_OVER);
                server.stop();
                await().until(() -> cluster.database("pg1")
                        .query("SELECT state FROM sharded_id.shard WHERE shard = 1")
                        .contains("ACTIVE"));
                assertThat(cluster.rows("pg1")).isEqualTo(rows);
                await().until(() -> instance.map.get().isServedBy(MovingCluster.SHARD, "pg1"));
            }
            server.start();
            cluster.mover().dropOldCopy(MovingCluster.SHARD, "pg2");
            assertThat(cluster.leftovers()).isEmpty();
        } finally {
            cluster = shared;
            server.close();
        }
    }
}
