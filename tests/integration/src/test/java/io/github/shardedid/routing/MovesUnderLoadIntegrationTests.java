package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.KeeperOptions;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.TestCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shard 0 moves back and forth while all kinds of statements go there; none fails, none is lost, none is doubled. */
@Tag("slow")
class MovesUnderLoadIntegrationTests {
    private static final String MIGRATIONS = "classpath:db/moves";
    private static final int MOVES = 4;
    private static final int THREADS = 6;
    private static final String INSERT = "INSERT INTO sharded_id_shard.photo VALUES (?, ?)";
    private static final String READ = "SELECT id FROM sharded_id_shard.photo WHERE id = ?";

    private final AtomicLong ids = new AtomicLong(100);
    private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    @ParameterizedTest(name = "with a keeper: {0}, announced: {1}, deferred begin: {2}")
    @CsvSource({"true, true, true", "false, false, true", "true, true, false"})
    void noCallFails(boolean keeper, boolean announced, boolean deferredBegin) throws Exception {
        try (TestCluster cluster = TestCluster.withoutIdConstraints(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
                ShardMapKeeper kept = new ShardMapKeeper(
                        cluster.cluster().map(),
                        keeper ? cluster.sources() : java.util.Map.of(),
                        new KeeperOptions(Duration.ofHours(1), Duration.ofSeconds(1)))) {
            RoutingOptions options =
                    RoutingOptions.DEFAULT.withDeferredBegin(deferredBegin).withFenceWait(Duration.ofMinutes(1));
            RoutingDataSource routed = new RoutingDataSource(cluster.cluster(), cluster.sources(), options);
            List<Thread> threads = work(routed);
            long before = acknowledged.size();
            for (int i = 0; i < MOVES; i++) {
                HandMadeMove move = HandMadeMove.of(cluster, 0).prepare(MIGRATIONS);
                if (announced) {
                    move.softFence();
                    cluster.cluster().map().refreshSince(System.nanoTime());
                }
                move.finish();
                cluster.cluster().map().refreshSince(System.nanoTime());
            }
            stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat((long) acknowledged.size()).isGreaterThan(before);
            Set<Long> expected = new TreeSet<>(acknowledged);
            expected.add(1L);
            assertThat(cluster.idsIn(0, "photo")).containsExactlyElementsOf(expected);
            assertThat(cluster.cluster().map().get().generationOf(0)).isEqualTo(MOVES + 1);
            assertThat(kept).isNotNull();
        }
    }

    private List<Thread> work(RoutingDataSource routed) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int kind = i % 4;
            Thread thread = new Thread(() -> loop(routed, kind), "writer-" + i);
            threads.add(thread);
            thread.start();
        }
        return threads;
    }

    private void loop(RoutingDataSource routed, int kind) {
        try {
            while (!stopped) {
                try (Connection connection = routed.getConnection()) {
                    switch (kind) {
                        case 0 -> transaction(connection, 3);
                        case 1 -> batch(connection);
                        case 2 -> acknowledged.add(insert(connection));
                        default -> count(connection);
                    }
                }
            }
        } catch (SQLException | RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private void transaction(Connection connection, int rows) throws SQLException {
        connection.setAutoCommit(false);
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            long id = insert(connection);
            written.add(id);
            assertThat(find(connection, 0, id)).isTrue();
            assertThat(find(connection, 2, 1)).isTrue();
        }
        connection.commit();
        acknowledged.addAll(written);
        assertThat(find(connection, 0, written.get(0))).isTrue();
        connection.rollback();
    }

    private long insert(Connection connection) throws SQLException {
        long id = ids.incrementAndGet();
        try (ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setLong(1, id);
            insert.setString(2, "new");
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        return id;
    }

    private static boolean find(Connection connection, int shard, long id) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                PreparedStatement select = connection.prepareStatement(READ)) {
            select.setLong(1, id);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next();
            }
        }
    }

    private void batch(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        List<Long> written = new ArrayList<>();
        try (ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int i = 0; i < 20; i++) {
                long id = ids.incrementAndGet();
                written.add(id);
                insert.setLong(1, id);
                insert.setString(2, "batch");
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(20).containsOnly(1);
        }
        connection.commit();
        acknowledged.addAll(written);
    }

    /** What was acknowledged before is seen, in all shards, once. */
    private void count(Connection connection) throws SQLException {
        long least = acknowledged.size() + 4L;
        try (ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement select =
                        connection.prepareStatement("SELECT count(p.id) FROM sharded_id_shard.photo p");
                ResultSet rows = select.executeQuery()) {
            assertThat(rows.next()).isTrue();
            long most = ids.get() - 100 + 4;
            assertThat(rows.getLong(1)).isBetween(least, most + 1_000);
        }
    }
}
