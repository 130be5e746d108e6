package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done behind the fence does not grow with the shard. Rows read are counted, not time. */
@Tag("attack")
@Tag("embedded-only")
class MoveWorkIntegrationTests {
    private static final int SHARD = 1;
    private static final int ROWS = Boolean.getBoolean("sharded-id.test.longer") ? 5_000_000 : 200_000;
    private static final int WRITERS = 3;

    private final Map<MoveStep, Long> rowsRead = new EnumMap<>(MoveStep.class);
    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void noMoreRowsAreReadBehindTheFenceOfALargeShardThanOfAnEmptyOne() {
        try (BankCluster cluster = new BankCluster()) {
            Move empty = move(cluster, "pg2");
            long ofEmpty = behindTheFence();
            cluster.database("pg2")
                    .execute("SET search_path = shard_0001; INSERT INTO slip (token) SELECT i FROM generate_series(1, "
                            + ROWS + ") i; INSERT INTO holder (changes, number) SELECT 0, i FROM generate_series(1, "
                            + ROWS / 10 + ") i");
            Move full = move(cluster, "pg1");
            long ofFull = behindTheFence();

            System.err.println("Rows read behind the fence: " + ofEmpty + " of an empty shard, pause " + empty.pause()
                    + "; " + ofFull + " of one of " + ROWS * 11L / 10 + " rows, pause " + full.pause() + "; " + full);
            assertThat(rowsRead.get(MoveStep.FENCE))
                    .as("rows read before: the counting works")
                    .isGreaterThan(ROWS);
            assertThat(ofFull).isLessThan(ofEmpty + 1000);
            assertThat(cluster.database("pg1").queryLong("SELECT count(*) FROM shard_0001.slip"))
                    .isEqualTo(ROWS);
        }
    }

    private long behindTheFence() {
        return rowsRead.getOrDefault(MoveStep.CLEAN_UP, 0L) - rowsRead.getOrDefault(MoveStep.FENCE, 0L);
    }

    private Move move(BankCluster cluster, String target) {
        MoveOptions options = MoveOptions.DEFAULT.withListener(progress -> count(cluster, progress));
        Map<String, DataSource> sources = new TreeMap<>();
        cluster.sources().forEach((name, source) -> sources.put(name, noting(source)));
        return new ShardMover(cluster.definition(), sources, ShardMigrations.at(LoadOptions.SCRIPTS), options)
                .move(SHARD, target);
    }

    private DataSource noting(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(source, arguments);
                    if (result instanceof Connection connection) {
                        connections.add(connection);
                    }
                    return result;
                });
    }

    private void count(BankCluster cluster, MoveProgress progress) {
        if (progress.step() != MoveStep.FENCE && progress.step() != MoveStep.CLEAN_UP) {
            return;
        }
        connections.forEach(MoveWorkIntegrationTests::flush);
        String sum = "SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)"
                + " FROM pg_stat_user_tables WHERE schemaname LIKE 'shard\\_0001%'";
        rowsRead.put(
                progress.step(),
                cluster.databases().values().stream()
                        .mapToLong(database -> database.queryLong(sum))
                        .sum());
    }

    /** A session tells its statistics about once a second, unless it is asked to. */
    private static void flush(Connection connection) {
        try {
            if (!connection.isClosed()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT pg_stat_force_next_flush()");
                }
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aShardUnderConstantHeavyWritesStillMoves() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicBoolean stopped = new AtomicBoolean();
        try (BankCluster cluster = new BankCluster()) {
            WorkerOptions options = cluster.options(directory, 0, 0);
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                PreparedSession session = new PreparedSession(options.homes(), new Deeds(directory, i));
                Random random = new Random(i);
                writers.add(threads.submit(() -> {
                    while (!stopped.get()) {
                        session.writeTo(SHARD, random);
                    }
                }));
            }
            assertThat(cluster.mover(MoveOptions.DEFAULT).move(SHARD, "pg2").step())
                    .isEqualTo(MoveStep.DONE);
            assertThat(cluster.mover(MoveOptions.DEFAULT).move(SHARD, "pg1").step())
                    .isEqualTo(MoveStep.DONE);
            stopped.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
            MoveOracle oracle = new MoveOracle(cluster);
            oracle.judge(directory);
            System.err.println(
                    "Heavy writes: " + oracle + "\n" + oracle.pauses().table(Set.of(SHARD)));
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
        } finally {
            stopped.set(true);
            threads.shutdownNow();
        }
    }
}
