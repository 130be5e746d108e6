package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.UnknownShardException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JvmIdSourceIntegrationTests {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(600);

    private final RecordingListener listener = new RecordingListener();
    private final List<JvmIdSource> open = new ArrayList<>();

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(5));
    }

    @AfterEach
    void close() {
        open.forEach(JvmIdSource::close);
    }

    private JvmIdSource source(IdCluster cluster, Duration lease) {
        JvmIdOptions options = JvmIdOptions.DEFAULT.withLease(lease).withListener(listener);
        JvmIdSource source = new JvmIdSource(cluster.dataSource(), options);
        open.add(source);
        return source;
    }

    private static IdCluster cluster(int nodes) {
        return IdCluster.of(IdLayout.DEFAULT.withJvmNodes(nodes), 4);
    }

    private static long next(IdCluster cluster, JvmIdSource source) {
        try (Connection connection = cluster.dataSource().getConnection()) {
            return source.next(3, IdCluster.PHOTO, connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes ids until one comes from the JVM; all grow. */
    private static long untilLeased(IdCluster cluster, JvmIdSource source) {
        long[] last = {0};
        await().until(() -> {
            long id = next(cluster, source);
            assertThat(id).isGreaterThan(last[0]);
            last[0] = id;
            return madeByNode(id);
        });
        return last[0];
    }

    private static boolean madeByNode(long id) {
        return IdLayout.DEFAULT.decode(id).sequence() >= 512;
    }

    @Test
    @Tag("quick")
    void theFirstIdComesFromTheDatabaseAndLaterOnesFromTheJvmAndAllGrow() throws SQLException {
        IdCluster cluster = cluster(32);
        JvmIdSource source = source(cluster, LONG);
        long first = next(cluster, source);
        long leased = untilLeased(cluster, source);

        assertThat(madeByNode(first)).isFalse();
        assertThat(leased).isGreaterThan(first);
        assertThat(cluster.layout().shardOf(leased)).isEqualTo(3);
        assertThat(listener.count("granted")).isEqualTo(1);
        assertThat(listener.count(FallbackReason.NO_LEASE_YET)).isGreaterThan(0);
        // A table used later has a counter of its own under the same lease.
        try (Connection connection = cluster.dataSource().getConnection()) {
            assertThat(madeByNode(source.next(3, "tag_id_seq", connection))).isTrue();
            assertThatThrownBy(() -> source.next(4, IdCluster.PHOTO, connection))
                    .isInstanceOf(UnknownShardException.class);
        }
    }

    /** Metrics would otherwise miss a lease whose ids have been seen. */
    @Test
    @Tag("quick")
    void aLeaseIsReportedBeforeItsFirstId() {
        IdCluster cluster = cluster(1);
        AtomicBoolean reported = new AtomicBoolean();
        Semaphore held = new Semaphore(0);
        LeaseListener slow = new LeaseListener() {
            @Override
            public void granted(int shard, int node) {
                reported.set(true);
                held.acquireUninterruptibly();
            }
        };
        JvmIdSource source = new JvmIdSource(
                cluster.dataSource(), JvmIdOptions.DEFAULT.withLease(LONG).withListener(slow));
        open.add(source);
        try {
            assertThat(madeByNode(next(cluster, source))).isFalse();
            await().untilTrue(reported);

            assertThat(madeByNode(next(cluster, source))).isFalse();
        } finally {
            held.release();
        }
        untilLeased(cluster, source);
    }

    @Test
    @Tag("quick")
    void aNodeThatWasGivenBackIsGrantedAtOnceAndItsWindowBeginsBehindTheLastId() {
        IdCluster cluster = cluster(1);
        JvmIdSource one = source(cluster, LONG);
        long last = untilLeased(cluster, one);
        for (int i = 0; i < 200; i++) {
            last = next(cluster, one);
        }
        one.close();
        await().until(() -> listener.count("released") == 1);
        assertThat(madeByNode(next(cluster, one))).isFalse();

        long other = untilLeased(cluster, source(cluster, LONG));

        assertThat(other).isGreaterThan(last);
        assertThat(listener.count(FallbackReason.CLOSED)).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void whoFindsNoNodeFreeGetsIdsFromTheDatabase() {
        IdCluster cluster = cluster(1);
        untilLeased(cluster, source(cluster, LONG));
        JvmIdSource second = source(cluster, LONG);

        await().until(() -> {
            assertThat(madeByNode(next(cluster, second))).isFalse();
            return listener.count(FallbackReason.NO_NODE_FREE) > 0;
        });
    }

    @Test
    @Tag("quick")
    void aLeaseIsRenewedWhileItIsUsedAndGivenBackWhenItIsNot() {
        IdCluster cluster = cluster(1);
        JvmIdSource source = source(cluster, SHORT);
        untilLeased(cluster, source);
        await().until(() -> {
            next(cluster, source);
            return listener.count("renewed") >= 3;
        });
        await().until(() -> listener.count("released") > 0);
        assertThat(cluster.database().query("SELECT holder FROM shard_0003.sharded_id_lease WHERE node = 0"))
                .containsExactly("null");
        untilLeased(cluster, source);
    }

    @Test
    void aLockedLeaseIsPassedOver() throws SQLException {
        IdCluster cluster = cluster(2);
        JvmIdSource one = source(cluster, LONG);
        untilLeased(cluster, one);
        one.close();
        try (Connection stranger = cluster.database().connect()) {
            stranger.setAutoCommit(false);
            stranger.createStatement().execute("SELECT * FROM shard_0003.sharded_id_lease WHERE node >= 0 FOR UPDATE");
            untilLeased(cluster, source(cluster, LONG));
            stranger.createStatement().execute("SELECT * FROM shard_0003.sharded_id_lease WHERE node < 0 FOR UPDATE");
            JvmIdSource third = source(cluster, LONG);
            await().until(() -> {
                assertThat(madeByNode(next(cluster, third))).isFalse();
                return listener.count(FallbackReason.LOCKED) > 0;
            });
            stranger.rollback();
        }
    }

    @Test
    void aHolderOfTheOldDivisionIsRefusedAndTheNewOneWaitsForItsWindow() {
        IdCluster cluster = cluster(2);
        JvmIdSource old = source(cluster, SHORT);
        untilLeased(cluster, old);
        cluster.database().execute("UPDATE sharded_id.cluster SET jvm_nodes = 4");
        // One that happened not to be used for a while was given back and not lost.
        await().until(() -> {
            next(cluster, old);
            return listener.count(FallbackReason.OTHER_DIVISION) > 0
                    && listener.count("lost") + listener.count("released") == listener.count("granted");
        });
        assertThat(madeByNode(next(cluster, old))).isFalse();
        IdCluster divided = new IdCluster(
                cluster.database(),
                new io.github.shardedid.routing.RoutingDataSource(
                        new io.github.shardedid.topology.Cluster(
                                cluster.layout().withJvmNodes(4),
                                cluster.dataSource().cluster().map()),
                        java.util.Map.of("pg1", cluster.database().dataSource())));
        untilLeased(divided, source(divided, SHORT));
    }

    @Test
    void afterAFailoverTheDatabaseMakesTheIdsUntilLostLeasesMustHaveRunOut() {
        IdCluster cluster = cluster(2);
        untilLeased(cluster, source(cluster, LONG));
        cluster.database().execute("UPDATE shard_0003.sharded_id_lease SET server = 'another' WHERE node = -1");
        JvmIdSource second = source(cluster, SHORT);
        await().until(() -> {
            assertThat(madeByNode(next(cluster, second))).isFalse();
            return listener.count(FallbackReason.EARLIER_LEASES) > 3;
        });
        assertThat(cluster.database()
                        .queryLong("SELECT l.window_end - sharded_id.timestamp_of(clock_timestamp())"
                                + " FROM shard_0003.sharded_id_lease l WHERE node = -1"))
                .isBetween(240_000L, 300_000L);
        cluster.database()
                .execute(
                        "UPDATE shard_0003.sharded_id_lease SET window_end = 0, server = sharded_id.lease_stamp() WHERE node = -1");
        untilLeased(cluster, second);
    }

    @Test
    void aBurstRunsAheadOfTheClockOnlySoFarAndThenTheDatabaseHelps() throws SQLException {
        IdCluster cluster = cluster(32);
        JvmIdSource source =
                new JvmIdSource(cluster.dataSource(), new JvmIdOptions(LONG, Duration.ofMillis(20), listener));
        open.add(source);
        long last = untilLeased(cluster, source);
        try (Connection connection = cluster.dataSource().getConnection()) {
            for (int i = 0; i < 50_000; i++) {
                long id = source.next(3, IdCluster.PHOTO, connection);
                assertThat(id > last).as("%s after %s", id, last).isTrue();
                last = id;
            }
        }
        assertThat(listener.count(FallbackReason.AHEAD_OF_CLOCK)).isPositive();
    }

    @Test
    @Tag("quick")
    void theEndOfTheEpochIsRefusedAndNothingIsNegative() {
        IdCluster cluster = cluster(32);
        cluster.takeOverClockAndServer();
        // Time enough for a slow machine to make an id before the end, which comes by the JVM's clock.
        cluster.clock(cluster.layout().maxTimestamp() - 5_000);
        cluster.database().execute("UPDATE shard_0003.sharded_id_lease SET server = sharded_id.lease_stamp()");
        JvmIdSource source = source(cluster, LONG);
        long before = untilLeased(cluster, source);
        cluster.clock(cluster.layout().maxTimestamp() + 1);

        await().untilAsserted(() -> assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        assertThat(next(cluster, source)).isGreaterThan(before);
                    }
                })
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH));
    }

    @Test
    void aLayoutWithoutJvmNodesIsRefused() {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT.withJvmNodes(0), 1);

        assertThatThrownBy(() -> new JvmIdSource(cluster.dataSource(), JvmIdOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jvm-nodes");
    }
}
