package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.HeldClock;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.Cluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Shard 0 is about to leave pg1, and statements for it are held back. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class FencedShardIntegrationTests implements RoutingListener {
    private static final String MIGRATIONS = "classpath:db/moves";
    private static final Duration LONG = Duration.ofMinutes(3);

    @Parameter
    boolean deferredBegin;

    private final Queue<Outcome> waits = new ConcurrentLinkedQueue<>();
    private final Queue<String> followed = new ConcurrentLinkedQueue<>();
    private final TestCluster cluster = TestCluster.withoutIdConstraints(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private final HandMadeMove move = HandMadeMove.of(cluster, 0);

    @BeforeEach
    void prepare() {
        move.prepare(MIGRATIONS);
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(cluster.activeConnections()).isZero();
        cluster.close();
    }

    /** Each wait is followed from its beginning to its end. */
    @Override
    public Watch waiting(int shard, String database) {
        assertThat(shard).isBetween(0, 1);
        followed.add("begun " + shard + " " + database);
        return new Watch() {
            @Override
            public void waited(Outcome outcome) {
                followed.add(outcome.name());
                waits.add(outcome);
            }

            @Override
            public void close() {
                followed.add("ended");
            }
        };
    }

    private RoutingDataSource routed(Duration wait) {
        return routed(cluster.cluster(), wait);
    }

    private RoutingDataSource routed(Cluster of, Duration wait) {
        RoutingOptions options = RoutingOptions.DEFAULT
                .withDeferredBegin(deferredBegin)
                .withFenceWait(wait)
                .withListener(this);
        return new RoutingDataSource(of, cluster.sources(), options);
    }

    private void learn() {
        cluster.cluster().map().refreshSince(System.nanoTime());
    }

    private static void insert(Connection connection, int shard, long id) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO sharded_id_shard.photo VALUES (?, 'new')")) {
            insert.setLong(1, id);
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
    }

    private static String read(Connection connection, int shard) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("SELECT caption FROM sharded_id_shard.photo WHERE id = 1")) {
            return rows.next() ? rows.getString(1) : "no row";
        }
    }

    private CompletableFuture<Void> inserting(RoutingDataSource routed) {
        return OwnThread.run(() -> {
            try (Connection connection = routed.getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, 0, 5);
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void statementsWaitWithoutAConnectionAndGoOnAtTheNewHome() throws Exception {
        move.softFence();
        learn();
        RoutingDataSource routed = routed(LONG);
        CompletableFuture<Void> inserting = inserting(routed);
        try (Connection other = routed.getConnection()) {
            assertThat(read(other, 1)).as("another shard of the same database").isEqualTo("first");
            assertThat(read(other, 2)).isEqualTo("first");
        }
        await().until(() -> followed.contains("begun 0 pg1"));
        assertThat(cluster.activeConnections()).isZero();
        assertThat(inserting).isNotDone();
        move.finish();
        inserting.get(3, TimeUnit.MINUTES);

        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
        assertThat(waits).containsExactly(Outcome.MOVED);
        assertThat(followed).containsExactly("begun 0 pg1", "MOVED", "ended");
    }

    @Test
    void aFenceThatIsLiftedLetsThemGoOn() throws Exception {
        move.softFence();
        learn();
        CompletableFuture<Void> inserting = inserting(routed(LONG));
        await().until(() -> followed.contains("begun 0 pg1"));
        move.lift();
        inserting.get(3, TimeUnit.MINUTES);

        assertThat(cluster.idsIn(0, "photo")).containsExactly(1L, 5L);
        assertThat(waits).containsExactly(Outcome.STAYED);
    }

    @Test
    void aTransactionThatUsesTheShardGoesOnAndTheFenceWaitsForIt() throws Exception {
        try (Connection connection = routed(LONG).getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 0, 5);
            move.softFence();
            learn();
            CompletableFuture<HandMadeMove> moving = OwnThread.supply(move::finish);
            insert(connection, 0, 6);
            assertThat(read(connection, 0)).isEqualTo("first");
            assertThat(moving).isNotDone();
            connection.commit();
            moving.get(3, TimeUnit.MINUTES);
            assertThat(waits).isEmpty();

            insert(connection, 0, 7);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(3);
    }

    @Test
    void whatWasPreparedBeforeWaitsWithoutAConnectionToo() throws Exception {
        RoutingDataSource routed = routed(LONG);
        try (Connection connection = routed.getConnection()) {
            connection.setAutoCommit(false);
            try (ShardContext.Scope scope = ShardContext.open(0);
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO sharded_id_shard.photo VALUES (?, ?)")) {
                insert.setLong(1, 5);
                insert.setString(2, "new");
                move.softFence();
                learn();
                CompletableFuture<Integer> inserting = OwnThread.supply(() -> {
                    try {
                        return insert.executeUpdate();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
                await().until(() -> cluster.activeConnections() == 0);
                move.finish();
                assertThat(inserting.get(3, TimeUnit.MINUTES)).isEqualTo(1);
            }
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    void anAbortedFenceLetsThemGoOnWhereTheyWere() throws Exception {
        move.fence();
        CompletableFuture<Void> inserting = inserting(routed(LONG));
        await().until(() -> cluster.cluster().map().get().isFenced(0));
        move.abort();
        inserting.get(3, TimeUnit.MINUTES);

        assertThat(cluster.idsIn(0, "photo")).containsExactly(1L, 5L);
    }

    @Test
    void aSoftFenceThatStaysIsPassedInTheEnd() throws SQLException {
        move.softFence();
        learn();
        try (Connection connection = routed(Duration.ofMillis(50)).getConnection()) {
            insert(connection, 0, 5);
        }
        assertThat(waits).isSubsetOf(Outcome.TIMED_OUT);
        assertThat(cluster.idsIn(0, "photo")).containsExactly(1L, 5L);
    }

    @Test
    void aFenceThatStaysIsATransientError() throws SQLException {
        move.fence();
        try (Connection connection = routed(Duration.ofMillis(50)).getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> insert(connection, 0, 5))
                    .isInstanceOf(ShardMovedException.class)
                    .hasMessageContaining("Shard 0 is on its way");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(read(connection, 1)).isEqualTo("first");
            connection.rollback();
        }
    }

    @Test
    void aTransactionThatMetAKnownFenceIsNotCommittedAndHoldsNothing() throws SQLException {
        move.fence();
        Cluster knowing = cluster.cluster(new HeldClock());
        try (Connection connection = routed(knowing, Duration.ofMillis(50)).getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1, 5);
            assertThatThrownBy(() -> read(connection, 0))
                    .isInstanceOf(ShardFencedException.class)
                    .hasNoCause();
            assertThatThrownBy(connection::commit).hasMessageContaining("cannot be committed");
            assertThat(read(connection, 1)).isEqualTo("first");
            connection.rollback();
        }
        assertThat(cluster.idsIn(1, "photo")).containsExactly(1L);
    }

    @Test
    void queriesOverAllShardsAreCutAnew() throws Exception {
        RoutingDataSource routed = routed(LONG);
        move.finish();
        assertThat(count(routed)).as("with an old map").isEqualTo(4);
        HandMadeMove next = HandMadeMove.of(cluster, 1).prepare(MIGRATIONS).softFence();
        learn();
        CompletableFuture<Long> counting = OwnThread.supply(() -> count(routed));
        next.finish();
        assertThat(counting.get(3, TimeUnit.MINUTES)).isEqualTo(4);
        assertThat(cluster.cluster().map().get().shardsOf("pg2")).containsExactly(0, 1, 2, 3);
    }

    @Test
    void queriesOverAllShardsWithinAWritingTransactionAreCutAnewBeforeTheyAreSent() throws Exception {
        try (Connection connection = routed(LONG).getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1, 5);
            move.finish();
            learn();
            try (ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                    PreparedStatement select =
                            connection.prepareStatement("SELECT p.id FROM sharded_id_shard.photo p ORDER BY p.id");
                    ResultSet rows = select.executeQuery()) {
                int count = 0;
                while (rows.next()) {
                    count++;
                }
                assertThat(count).isEqualTo(5);
            }
            connection.commit();
        }
    }

    private static long count(RoutingDataSource routed) {
        try (Connection connection = routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement select =
                        connection.prepareStatement("SELECT count(p.id) FROM sharded_id_shard.photo p");
                ResultSet rows = select.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
