package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.test.TestPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactions that need two databases must not wait for each other's connections for ever. */
class PoolsIntegrationTests {
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";
    private static final long PATIENCE_SECONDS = 180;
    private TwoDatabases databases = new TwoDatabases();

    /** Pools that soon give up. */
    private void waitBriefly() {
        databases.close();
        databases = new TwoDatabases(RoutingOptions.DEFAULT, TwoDatabases.BRIEF);
        TestPools.awaitConnection(databases.pool2);
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    private void limit(int size) {
        for (HikariDataSource pool : List.of(databases.pool1, databases.pool2)) {
            pool.setMaximumPoolSize(size);
        }
    }

    /** Runs as many workers at once, and throws what the first of them throws. */
    private static void atOnce(int workers, java.util.function.IntFunction<Callable<String>> worker) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            List<Callable<String>> work = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                work.add(worker.apply(i));
            }
            for (Future<String> done : threads.invokeAll(work)) {
                assertThat(done.get()).isEqualTo("done");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void eightThreadsReadTwoDatabasesInEitherOrderOnPoolsOfTwo() throws Exception {
        limit(2);
        CyclicBarrier allHaveRead = new CyclicBarrier(8);
        atOnce(8, worker -> () -> {
            int first = worker % 2 == 0 ? 0 : 2;
            for (int i = 0; i < 25; i++) {
                try (Connection connection = databases.transaction()) {
                    assertThat(read(connection, first, SELECT)).isEqualTo("of shard " + first);
                    allHaveRead.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    assertThat(read(connection, 2 - first, SELECT)).isEqualTo("of shard " + (2 - first));
                    connection.commit();
                }
            }
            return "done";
        });
    }

    @Test
    void aWriterThatFindsNoConnectionToReadWithIsToldWhatToDo() throws SQLException {
        waitBriefly();
        limit(1);
        try (Connection one = databases.transaction();
                Connection other = databases.transaction()) {
            insert(one, 0, 7);
            insert(other, 2, 7);
            assertThatThrownBy(() -> read(one, 2, SELECT))
                    .isInstanceOf(DatabaseUnavailableException.class)
                    .hasMessageContaining("All connections to database pg2, home of shard 2")
                    .hasMessageContaining("total=1, active=1")
                    .hasMessageContaining("held a connection to pg1")
                    .hasMessageContaining("read pool");
            other.commit();
            assertThat(read(one, 2, SELECT)).isEqualTo("of shard 2");
            one.commit();
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    void aTransactionThatHoldsNothingIsNotToldOfOthers() throws SQLException {
        waitBriefly();
        databases.pool2.setMaximumPoolSize(1);
        try (Connection one = databases.transaction();
                Connection other = databases.transaction()) {
            insert(other, 2, 7);
            assertThatThrownBy(() -> read(one, 2, SELECT))
                    .isInstanceOf(DatabaseUnavailableException.class)
                    .hasMessageContaining("Make the pool larger")
                    .hasMessageNotContaining("held");
        }
    }

    private static RoutingOptions readPools(Map<String, DataSource> pools) {
        RoutingOptions usual = RoutingOptions.DEFAULT;
        return new RoutingOptions(
                true,
                pools,
                usual.scatter(),
                Map.of(),
                null,
                usual.fenceWait(),
                usual.mapAge(),
                usual.listener(),
                usual.commonSchemas());
    }

    @Test
    void writersThatReadEachOthersDatabasesUseTheReadPools() throws Exception {
        limit(1);
        try (HikariDataSource read1 = readPool(databases.pool1);
                HikariDataSource read2 = readPool(databases.pool2)) {
            RoutingDataSource routed = databases.routed(readPools(Map.of("pg1", read1, "pg2", read2)));
            CyclicBarrier bothHaveWritten = new CyclicBarrier(2);
            atOnce(2, worker -> () -> {
                int own = worker * 2;
                for (int i = 0; i < 25; i++) {
                    try (Connection connection = routed.getConnection()) {
                        connection.setAutoCommit(false);
                        insert(connection, own, 100 + i);
                        bothHaveWritten.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                        assertThat(read(connection, 2 - own, SELECT)).isEqualTo("of shard " + (2 - own));
                        assertThat(read(connection, own, "SELECT max(id) FROM photo"))
                                .isEqualTo(String.valueOf(100 + i));
                        connection.commit();
                    }
                }
                return "done";
            });
            assertThat(active(read1) + active(read2)).isZero();
        }
        assertThat(databases.count(0)).isEqualTo(26);
        assertThat(databases.count(2)).isEqualTo(26);
    }

    @Test
    void aTransactionThatHoldsNothingReadsThroughThePoolItself() throws SQLException {
        try (HikariDataSource unused = readPool(databases.pool1)) {
            RoutingDataSource routed = databases.routed(readPools(Map.of("pg1", unused)));
            try (Connection connection = routed.getConnection()) {
                connection.setAutoCommit(false);
                read(connection, 0, SELECT);
                insert(connection, 0, 7);
                read(connection, 2, SELECT);
                connection.commit();
            }
            assertThat(unused.isRunning()).isTrue();
            assertThat(unused.getHikariPoolMXBean().getTotalConnections()).isZero();
        }
    }

    private static HikariDataSource readPool(HikariDataSource of) {
        HikariConfig config = new HikariConfig();
        of.copyStateTo(config);
        config.setPoolName(null);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static int active(HikariDataSource pool) {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }
}
