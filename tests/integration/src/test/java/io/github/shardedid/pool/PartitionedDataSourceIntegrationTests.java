package io.github.shardedid.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.SilentServer;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Sessions say by their application name from which part they come. */
@Timeout(60)
@Tag("quick")
class PartitionedDataSourceIntegrationTests {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = PostgresServers.shared(1).newDatabase();
    }

    @AfterAll
    static void drop() {
        database.drop();
    }

    private static DataSource part(int number) {
        PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
        source.setApplicationName("part " + number);
        return source;
    }

    private static PartitionedDataSource pool(Duration wait, int... connections) {
        return new PartitionedDataSource(
                "pg1",
                IntStream.range(0, connections.length)
                        .mapToObj(i -> new PoolPart(part(i), connections[i]))
                        .toList(),
                wait);
    }

    private static String partOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW application_name")) {
            row.next();
            return row.getString(1);
        }
    }

    private static String partOf(PartitionedDataSource pool, int shard) throws SQLException {
        try (Lease lease = pool.lease(shard)) {
            return partOf(lease.connection());
        }
    }

    @Test
    void aShardKeepsToItsPartAndPartsHaveAsManyShards() throws Exception {
        PartitionedDataSource pool = pool(Duration.ZERO, 1, 1, 1);
        Map<Integer, String> first = new HashMap<>();
        Map<String, Integer> shards = new HashMap<>();
        for (int shard = 0; shard < 24; shard += 2) {
            first.put(shard, partOf(pool, shard));
            shards.merge(first.get(shard), 1, Integer::sum);
        }
        assertThat(shards).containsOnly(Map.entry("part 0", 4), Map.entry("part 1", 4), Map.entry("part 2", 4));
        for (int shard = 22; shard >= 0; shard -= 2) {
            assertThat(partOf(pool, shard)).isEqualTo(first.get(shard));
        }
    }

    @Test
    void whatHasNoShardBeginsWithTheLastPart() throws Exception {
        PartitionedDataSource pool = pool(Duration.ZERO, 1, 1);
        try (Connection last = pool.getConnection();
                Connection next = pool.getConnection()) {
            assertThat(partOf(last)).isEqualTo("part 1");
            assertThat(partOf(next)).isEqualTo("part 0");
            assertThat(last.unwrap(PGConnection.class)).isNotNull();
            assertThat(Set.of(last, next)).hasSize(2).contains(last);
        }
    }

    @Test
    void othersServeAShardWhosePartIsInUse() throws Exception {
        PartitionedDataSource pool = pool(Duration.ofMillis(1), 1, 2);
        try (Lease own = pool.lease(7);
                Lease second = pool.lease(7);
                Lease third = pool.lease(7)) {
            assertThat(List.of(partOf(own.connection()), partOf(second.connection()), partOf(third.connection())))
                    .containsExactly("part 0", "part 1", "part 1");
            assertThatThrownBy(() -> pool.lease(7))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContainingAll("pg1", "timed out after 1ms", "active=3");
        }
        assertThat(partOf(pool, 7)).isEqualTo("part 0");
    }

    @Test
    void aConnectionThatIsClosedTwiceIsGivenBackOnce() throws Exception {
        PartitionedDataSource pool = pool(Duration.ofMillis(1), 1, 1);
        Connection twice = pool.getConnection();
        twice.close();
        twice.close();
        assertThat(twice.isClosed()).isTrue();
        try (Lease first = pool.lease(0);
                Lease second = pool.lease(0)) {
            assertThat(first.connection()).isNotSameAs(second.connection());
            assertThatThrownBy(() -> pool.lease(0)).isInstanceOf(SQLTransientConnectionException.class);
        }
    }

    @Test
    void aPartThatCannotConnectKeepsNothing() throws Exception {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setPortNumbers(new int[] {1});
        PartitionedDataSource pool = new PartitionedDataSource(
                "pg1", List.of(new PoolPart(nowhere, 1), new PoolPart(part(1), 1)), Duration.ofMillis(1));
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> pool.lease(0)).hasMessageContaining("refused");
        }
        try (Lease other = pool.lease()) {
            assertThat(partOf(other.connection())).isEqualTo("part 1");
        }
    }

    @Test
    void whoWaitedForAConnectionDoesNotWaitForADeadDatabaseToo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (SilentServer silent = new SilentServer()) {
            PGSimpleDataSource hanging = new PGSimpleDataSource();
            hanging.setUrl(silent.url() + "?sslmode=disable&gssEncMode=disable");
            PartitionedDataSource pool =
                    new PartitionedDataSource("pg1", List.of(new PoolPart(hanging, 1)), Duration.ofMinutes(1));
            List<Future<Lease>> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                callers.add(threads.submit(() -> pool.lease(0)));
            }
            await().until(() -> pool.waiting() == 2 && silent.accepted() == 1);
            silent.hangUp();
            for (Future<Lease> caller : callers) {
                assertThatThrownBy(caller::get).hasMessageContaining("connection attempt failed");
            }
            assertThat(silent.accepted()).isEqualTo(1);

            // Whoever comes later tries again.
            Future<Lease> later = threads.submit(() -> pool.lease(0));
            await().until(() -> silent.accepted() == 2);
            silent.hangUp();
            assertThatThrownBy(later::get).hasMessageContaining("connection attempt failed");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aWaitingThreadCanBeInterruptedAndKeepsNothing() throws Exception {
        PartitionedDataSource pool = pool(Duration.ofMinutes(1), 1);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread waiting = new Thread(() -> {
            try {
                pool.lease(0).close();
            } catch (SQLException e) {
                failures.add(e);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
        });
        try (Lease held = pool.lease(0)) {
            waiting.start();
            await().until(() -> pool.waiting() == 1);
            waiting.interrupt();
            waiting.join();
            assertThat(held.connection().isClosed()).isFalse();
        }
        assertThat(failures).singleElement().asString().contains("Interrupted");
        assertThat(partOf(pool, 0)).isEqualTo("part 0");
    }

    @Test
    void manyThreadsNeverHaveMoreConnectionsThanThereAre() throws Exception {
        long seed = System.nanoTime();
        PartitionedDataSource pool = pool(Duration.ofSeconds(30), 1, 2, 1);
        AtomicInteger[] inUse = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        int[] most = {1, 2, 1};
        ExecutorService threads = Executors.newFixedThreadPool(12);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 12; thread++) {
                Random random = new Random(seed + thread);
                running.add(threads.submit(() -> {
                    for (int call = 0; call < 40; call++) {
                        try (Lease lease = random.nextInt(10) == 0 ? pool.lease() : pool.lease(random.nextInt(8))) {
                            int part =
                                    Integer.parseInt(partOf(lease.connection()).replace("part ", ""));
                            assertThat(inUse[part].incrementAndGet()).isLessThanOrEqualTo(most[part]);
                            inUse[part].decrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (Exception e) {
            throw new AssertionError("seed " + seed, e);
        } finally {
            threads.shutdownNow();
        }
        assertThat(pool.waiting()).isZero();
    }

    @Test
    void refusesNoPartsAndEmptyOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool(Duration.ZERO))
                .withMessageContaining("pg1");
        assertThatIllegalArgumentException().isThrownBy(() -> new PoolPart(part(0), 0));
    }
}
