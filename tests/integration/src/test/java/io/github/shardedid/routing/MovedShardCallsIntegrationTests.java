package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shard 0 moves back and forth, each time under all kinds of calls that JDBC knows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MovedShardCallsIntegrationTests {
    private static final String[] MIGRATIONS = {"classpath:db/moves", "classpath:db/calls"};

    private static final long FIRST = 1_000;
    private static final int ROWS = 2_000;

    private final TestCluster cluster = TestCluster.withoutIdConstraints(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private HandMadeMove move = HandMadeMove.of(cluster, 0);

    @BeforeEach
    void prepare() {
        assertThat(cluster.activeConnections()).isZero();
        learn(cluster.cluster().map());
        move = HandMadeMove.of(cluster, 0).prepare(MIGRATIONS);
    }

    @AfterAll
    void close() {
        assertThat(cluster.activeConnections()).isZero();
        cluster.close();
    }

    private static void learn(CurrentShardMap map) {
        map.refreshSince(System.nanoTime());
    }

    /** An instance of the application with a map of its own, as it is now. */
    private record Instance(CurrentShardMap map, RoutingDataSource routed) {}

    private Instance instance(boolean deferredBegin) {
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        RoutingOptions options =
                RoutingOptions.DEFAULT.withDeferredBegin(deferredBegin).withFenceWait(Duration.ofMinutes(1));
        return new Instance(map, new RoutingDataSource(new Cluster(IdLayout.DEFAULT, map), cluster.sources(), options));
    }

    /** The shard has left and nobody has told; it is about to leave; it is fenced. */
    private enum Heard {
        NOTHING,
        FENCING,
        FENCED
    }

    @ParameterizedTest
    @CsvSource({"NOTHING, true", "NOTHING, false", "FENCING, true", "FENCING, false", "FENCED, true", "FENCED, false"})
    void asTheFirstOfATransactionItGoesOnAtTheNewHome(Heard heard, boolean deferredBegin) throws Exception {
        long before =
                cluster.home(0).queryLong("SELECT count(*) FROM shard_0000.photo WHERE caption IN ('new', 'key')");
        Map<JdbcCall, Instance> instances = new LinkedHashMap<>();
        for (JdbcCall call : JdbcCall.values()) {
            instances.put(call, instance(deferredBegin));
        }
        Map<JdbcCall, CompletableFuture<Object>> results = new LinkedHashMap<>();
        if (heard == Heard.NOTHING) {
            move.finish();
            instances.forEach((call, each) -> results.put(call, running(call, each)));
        } else {
            move.softFence();
            if (heard == Heard.FENCED) {
                move.fence();
            }
            instances.values().forEach(each -> learn(each.map()));
            instances.forEach((call, each) -> results.put(call, running(call, each)));
            (heard == Heard.FENCED ? move : move.fence()).copy().switchOver().moved();
        }
        for (Map.Entry<JdbcCall, CompletableFuture<Object>> each : results.entrySet()) {
            assertThat(each.getValue().get(3, TimeUnit.MINUTES))
                    .as("%s", each.getKey())
                    .isEqualTo(each.getKey().expected());
        }
        assertThat(move.atTarget("photo", "caption IN ('new', 'key')")).isEqualTo(before + 2);
    }

    private static CompletableFuture<Object> running(JdbcCall call, Instance instance) {
        return OwnThread.supply(() -> {
            try (Connection connection = instance.routed().getConnection();
                    ShardContext.Scope scope = ShardContext.open(0)) {
                call.configure(connection);
                connection.setAutoCommit(false);
                Object result = call.run(connection);
                connection.commit();
                return result;
            } catch (SQLException e) {
                throw new IllegalStateException(call + ": " + e.getMessage(), e);
            }
        });
    }

    /** Nothing is locked meanwhile, so that the fence does not wait for the transaction; and the insert holds no connection while it waits. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIdThatWasReservedBeforeTheShardLeavesIsTakenToItsNewHome(boolean heard) throws Exception {
        Instance instance = instance(true);
        DatabaseIdSource ids = new DatabaseIdSource(IdLayout.DEFAULT);
        try (Connection connection = instance.routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(false);
            long id = ids.next(0, "photo_id_seq", connection);
            move.fence();
            if (heard) {
                learn(instance.map());
            }
            CompletableFuture<Integer> inserting = OwnThread.supply(() -> insert(connection, id));
            await().until(() -> cluster.activeConnections() == 0);
            move.copy().switchOver().moved();

            assertThat(inserting.get(3, TimeUnit.MINUTES)).isEqualTo(1);
            assertThat(ids.next(0, "photo_id_seq", connection)).isGreaterThan(id);
            connection.commit();
            assertThat(move.atTarget("photo", "id = " + id)).isEqualTo(1);
        }
    }

    /** Nobody has told the end of it, so that calls go on at the old home. */
    @Test
    void whileTheShardIsAboutToLeaveForTooLongAnIdIsReservedOverTheConnectionThatStays() throws Exception {
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        RoutingDataSource routed = new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, map),
                cluster.sources(),
                RoutingOptions.DEFAULT.withFenceWait(Duration.ofMillis(1)));
        move.softFence();
        learn(map);
        await().until(() -> map.get().isFenced(0) && map.isFencedFor(0, Duration.ofMillis(1)));
        try (Connection connection = routed.getConnection()) {
            connection.setAutoCommit(false);
            long id = new DatabaseIdSource(IdLayout.DEFAULT).next(0, "photo_id_seq", connection);

            assertThat(cluster.activeConnections()).isEqualTo(1);
            assertThat(insert(connection, id)).isEqualTo(1);
            connection.commit();
        }
        move.fence().copy().switchOver().moved();
    }

    private static int insert(Connection connection, long id) {
        try (ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO sharded_id_shard.photo (id, caption) VALUES (?, 'reserved before')")) {
            insert.setLong(1, id);
            return insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void asALaterOneItIsRefusedAndNothingStays(boolean deferredBegin) throws SQLException {
        Map<JdbcCall, Connection> connections = new LinkedHashMap<>();
        for (JdbcCall call : JdbcCall.LATER) {
            Connection connection = instance(deferredBegin).routed().getConnection();
            connection.setAutoCommit(false);
            other(connection);
            connections.put(call, connection);
        }
        long before = cluster.idsIn(0, "photo").size();
        move.finish();
        for (Map.Entry<JdbcCall, Connection> each : connections.entrySet()) {
            try (Connection connection = each.getValue();
                    ShardContext.Scope scope = ShardContext.open(0)) {
                assertThatThrownBy(() -> each.getKey().run(connection))
                        .as("%s", each.getKey())
                        .isInstanceOfSatisfying(ShardMovedException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("40001"));
                assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
                connection.rollback();
                assertThat(each.getKey().run(connection))
                        .isEqualTo(each.getKey().expected());
                connection.rollback();
            }
        }
        assertThat(move.atTarget("photo", "true")).isEqualTo(before);
    }

    /** Something in another shard of the same database, in the transaction. */
    private void other(Connection connection) throws SQLException {
        int other = cluster.cluster().map().get().databaseOf(0).equals("pg1") ? 1 : 2;
        try (ShardContext.Scope scope = ShardContext.open(other);
                PreparedStatement lock =
                        connection.prepareStatement("SELECT 1 FROM sharded_id_shard.photo WHERE id = 1 FOR SHARE")) {
            lock.execute();
        }
    }

    @Test
    void aResultThatIsBeingFetchedIsReadToItsEndAndTheFenceWaits() throws Exception {
        Instance instance = instance(true);
        try (Connection connection = instance.routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(false);
            CompletableFuture<HandMadeMove> moving;
            List<Integer> seen = new ArrayList<>();
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT i FROM sharded_id_shard.photo, generate_series(1, 100) i WHERE id = 1 ORDER BY i")) {
                select.setFetchSize(10);
                ResultSet rows = select.executeQuery();
                rows.next();
                move.softFence();
                learn(instance.map());
                moving = OwnThread.supply(move::finish);
                do {
                    seen.add(rows.getInt(1));
                } while (rows.next());
            }
            assertThat(seen).hasSize(100).isSorted();
            assertThat(moving).isNotDone();
            connection.commit();
            moving.get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    @Tag("quick")
    void oneThatTheServerHasPreparedIsPreparedAtTheNewHome() throws SQLException {
        try (Connection connection = instance(false).routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement select =
                        connection.prepareStatement("SELECT caption FROM sharded_id_shard.photo WHERE id = ?")) {
            select.setLong(1, 1);
            for (int i = 0; i < 10; i++) {
                assertThat(JdbcCall.first(select)).isEqualTo("first");
            }
            move.finish();
            connection.setAutoCommit(false);
            assertThat(JdbcCall.first(select)).isEqualTo("first");
            connection.commit();
        }
    }

    /**
     * In autocommit the driver ends a transaction every few hundred rows of a batch. Another session's row holds the batch up in
     * its middle, where the fence joins the queue.
     */
    @Test
    @Tag("quick")
    void aBatchOfWhichAPartIsCommittedIsNotRepeatedAndItsCountsSayWhatStays() throws Exception {
        TestDatabase home = cluster.home(0);
        CompletableFuture<BatchUpdateException> failing;
        CompletableFuture<HandMadeMove> fencing;
        try (Connection other = home.connect();
                Statement blocking = other.createStatement()) {
            other.setAutoCommit(false);
            blocking.execute("INSERT INTO shard_0000.photo VALUES (" + (FIRST + ROWS / 2) + ", 'other')");
            failing = OwnThread.supply(this::batch);
            awaitLock(home, "transactionid");
            fencing = OwnThread.supply(move::fence);
            awaitLock(home, "relation");
            other.rollback();
        }
        long[] counts = failing.get(3, TimeUnit.MINUTES).getLargeUpdateCounts();
        fencing.get(3, TimeUnit.MINUTES).copy().switchOver().moved();
        List<Long> kept = LongStream.range(0, ROWS)
                .filter(i -> counts[(int) i] != Statement.EXECUTE_FAILED)
                .mapToObj(i -> FIRST + i)
                .toList();

        assertThat(counts).hasSize(ROWS);
        assertThat(kept).isNotEmpty().hasSizeLessThan(ROWS);
        learn(cluster.cluster().map());
        assertThat(cluster.idsIn(0, "photo").stream()
                        .filter(id -> id >= FIRST && id < FIRST + ROWS)
                        .toList())
                .isEqualTo(kept);
    }

    private BatchUpdateException batch() {
        try (Connection connection = instance(true).routed().getConnection();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO sharded_id_shard.photo VALUES (?, 'batch')")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setLong(1, FIRST + i);
                insert.addBatch();
            }
            insert.executeBatch();
            throw new AssertionError("The batch has met no fence");
        } catch (BatchUpdateException e) {
            return e;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitLock(TestDatabase database, String type) {
        await().until(() -> database.queryLong("SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                        + " WHERE NOT granted AND a.datname = current_database() AND locktype = '" + type + "'")
                > 0);
    }
}
