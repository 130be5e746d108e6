package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.TestCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shard 0 is about to leave pg1 and does not arrive; statements wait for it no longer than their own timeout. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FenceTimeoutsIntegrationTests implements RoutingListener {
    private static final String MIGRATIONS = "classpath:db/moves";
    private static final String INSERT = "INSERT INTO sharded_id_shard.photo VALUES (?, 'new')";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Queue<Outcome> waits = new ConcurrentLinkedQueue<>();
    private final TestCluster cluster = TestCluster.withoutIdConstraints(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private final HandMadeMove move = HandMadeMove.of(cluster, 0);

    @BeforeAll
    void announce() {
        move.prepare(MIGRATIONS).softFence();
        cluster.cluster().map().refreshSince(System.nanoTime());
    }

    @AfterEach
    void nothingWasDone() {
        assertThat(cluster.activeConnections()).isZero();
        assertThat(cluster.idsIn(0, "photo")).containsExactly(1L);
        waits.clear();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Override
    public Watch waiting(int shard, String database) {
        return new Watch() {
            @Override
            public void waited(Outcome outcome) {
                waits.add(outcome);
            }
        };
    }

    private RoutingDataSource routed(Duration wait) {
        return new RoutingDataSource(
                cluster.cluster(),
                cluster.sources(),
                RoutingOptions.DEFAULT.withFenceWait(wait).withListener(this));
    }

    private static void assertTimeout(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(SQLTimeoutException.class, e -> assertThat(e.getSQLState())
                        .isEqualTo("57014"))
                .hasMessageContainingAll("Shard 0", "database pg1", "timeout", " ms");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void preparedOnesThatArePreparedBehindTheFence(boolean autoCommit) throws SQLException {
        try (Connection connection = routed(LONG).getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(autoCommit);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setQueryTimeout(1);
                insert.setLong(1, 5);
                assertTimeout(insert::executeUpdate);
                assertThat(insert.unwrap(PreparedStatement.class)).isSameAs(insert);
            }
            try (PreparedStatement batch = connection.prepareStatement(INSERT)) {
                batch.setQueryTimeout(1);
                batch.setLong(1, 5);
                batch.addBatch();
                assertTimeout(batch::executeBatch);
            }
        }
        assertThat(waits).containsExactly(Outcome.TIMED_OUT, Outcome.TIMED_OUT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void preparedOnesThatWerePreparedBefore(boolean autoCommit) throws SQLException {
        move.lift();
        cluster.cluster().map().refreshSince(System.nanoTime());
        try (Connection connection = routed(LONG).getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(autoCommit);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setQueryTimeout(1);
                insert.setLong(1, 5);
                announceAgain();
                assertTimeout(insert::executeUpdate);
            }
        } finally {
            announceAgain();
        }
    }

    private void announceAgain() {
        move.softFence();
        cluster.cluster().map().refreshSince(System.nanoTime());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void plainOnesAndTheirBatches(boolean autoCommit) throws SQLException {
        try (Connection connection = routed(LONG).getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(autoCommit);
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(1);
                assertTimeout(() -> statement.executeUpdate("INSERT INTO photo VALUES (5, 'new')"));
                assertTimeout(() -> statement.addBatch("INSERT INTO photo VALUES (5, 'new')"));
            }
        }
    }

    @Test
    void queriesOverSeveralShards() throws SQLException {
        try (Connection connection = routed(LONG).getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement select =
                        connection.prepareStatement("SELECT count(p.id) FROM sharded_id_shard.photo p")) {
            select.setQueryTimeout(1);
            assertTimeout(select::executeQuery);
        }
    }

    @Test
    void theShorterOfBothCounts() throws SQLException {
        try (Connection connection = routed(Duration.ofMillis(50)).getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setQueryTimeout(3_600);
                insert.setLong(1, 5);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            connection.rollback();
        }
    }

    @Test
    void arraysAndOtherValuesAreMadeWithoutWaiting() throws SQLException {
        try (Connection connection = routed(LONG).getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            connection.setAutoCommit(false);
            assertThat(connection.createArrayOf("bigint", new Object[] {1L}).getBaseTypeName())
                    .isEqualTo("int8");
        }
        assertThat(waits).isEmpty();
    }
}
