package io.github.shardedid.provisioning;

import static io.github.shardedid.provisioning.NodesCluster.PLENTY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.provisioning.nodes.JvmNodesChange;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeRefusedException;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeUnfinishedException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a change of the number of JVM nodes does, what it waits for, and who may start meanwhile and afterwards. */
class JvmNodesChangeIntegrationTests {
    private static final int MINUTE = 60_000;

    @Test
    void fromSomeToOthers() {
        NodesCluster cluster = NodesCluster.of(32);
        long before = Long.parseLong(cluster.lease(0, 32, MINUTE));

        cluster.change(16, PLENTY);

        assertThat(cluster.stored()).containsExactly("16", "16");
        assertThat(cluster.lease(0, 16, MINUTE)).isEqualTo("EARLIER_LEASES");
        assertThat(cluster.leasesFrom(0)).isEqualTo(before);
        assertThat(cluster.lease(0, 32, MINUTE)).isEqualTo("OTHER_DIVISION");
        assertThat(cluster.lease(1, 16, MINUTE)).isEqualTo("EARLIER_LEASES");
        assertThat(cluster.lease(1, 16, MINUTE)).matches("\\d+");
        assertThat(lowerHalf(cluster.nextIds(0, 2000))).isTrue();
        onlyStartsWith(cluster, 16, 32);
    }

    @Test
    void toNoneOnceAllWindowsHaveEnded() {
        NodesCluster cluster = NodesCluster.of(32);
        long end = Long.parseLong(cluster.lease(1, 32, 1500));

        cluster.change(0, PLENTY);

        assertThat(IdLayout.DEFAULT.timestampOf(Instant.now())).isGreaterThanOrEqualTo(end);
        assertThat(cluster.stored()).containsExactly("0", "0");
        assertThat(cluster.earliest(0)).isEqualTo(end).isEqualTo(cluster.earliest(1));
        assertThat(lowerHalf(cluster.nextIds(0, 2000))).isFalse();
        assertThat(cluster.lease(0, 32, MINUTE)).isEqualTo("OTHER_DIVISION");
        onlyStartsWith(cluster, 0, 32);
    }

    @Test
    void fromNoneWhereLeasesBeginAfterAllThatTheSequencesHaveMade() {
        NodesCluster cluster = NodesCluster.of(0);
        long now = IdLayout.DEFAULT.timestampOf(Instant.now());
        IdLayout whole = IdLayout.DEFAULT.withJvmNodes(0);
        long hour = 3_600_000;
        // Values that were burnt just behind a window look as if they were of a later shard.
        cluster.home(0).execute("SELECT setval('shard_0000.photo_id_seq', " + whole.encode(now + hour, 1, 3) + ")");
        cluster.home(1)
                .execute("CREATE SEQUENCE public.other MINVALUE 0; SELECT setval('public.other', "
                        + whole.encode(now + 2 * hour, 7, 3) + ")");

        cluster.change(16, PLENTY);

        assertThat(cluster.stored()).containsExactly("16", "16");
        assertThat(cluster.leasesFrom(0)).isEqualTo(now + hour + 1);
        assertThat(cluster.leasesFrom(1)).isEqualTo(now + 2 * hour + 1);
        assertThat(cluster.lease(0, 16, MINUTE)).isEqualTo("EARLIER_LEASES");
        assertThat(lowerHalf(cluster.nextIds(0, 2000))).isTrue();
        onlyStartsWith(cluster, 16, 0);
    }

    /** It is a random number in a sequence, which looks like an id of a distant time. */
    @Test
    void fromNoneTheSecretOfTheLocksIsTakenForNoId() {
        NodesCluster cluster = NodesCluster.of(0);
        long now = IdLayout.DEFAULT.timestampOf(Instant.now());
        long secret = IdLayout.DEFAULT.withJvmNodes(0).encode(2 * now, 1, 3);
        cluster.home(0)
                .execute("ALTER SEQUENCE sharded_id.lock_secret MINVALUE " + (secret - 1) + " MAXVALUE " + secret
                        + " START " + secret + " RESTART " + secret
                        + "; SELECT setval('sharded_id.lock_secret', " + secret + ")");

        cluster.change(16, PLENTY);

        assertThat(cluster.leasesFrom(0)).isLessThan(now + 7 * MINUTE);
    }

    @Test
    void fromNoneNoNodeIsLeasedForTheLongestLease() {
        NodesCluster cluster = NodesCluster.of(0);
        long now = IdLayout.DEFAULT.timestampOf(Instant.now());
        cluster.home(1).execute("DELETE FROM shard_0001.sharded_id_lease");

        cluster.change(16, PLENTY);

        assertThat(cluster.leasesFrom(0)).isBetween(now + 5 * MINUTE, now + 7 * MINUTE);
        assertThat(cluster.leasesFrom(1)).isBetween(now + 5 * MINUTE, now + 7 * MINUTE);
        assertThat(cluster.lease(1, 16, MINUTE)).isEqualTo("EARLIER_LEASES");
    }

    @Test
    void fromNoneTransactionsThatMayUseTheOldFunctionsAreWaitedFor() throws SQLException {
        NodesCluster cluster = NodesCluster.of(0);
        try (Connection connection = cluster.home(1).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET application_name = 'the old one'");
            connection.setAutoCommit(false);
            statement.execute("DECLARE ids CURSOR FOR SELECT shard_0001.next_id('shard_0001.photo_id_seq')"
                    + " FROM generate_series(1, 2000)");
            assertThatThrownBy(() -> cluster.change(16, Duration.ZERO))
                    .isInstanceOf(JvmNodesChangeUnfinishedException.class)
                    .hasMessageContaining("Database pg2")
                    .hasMessageContaining("the old one, idle in transaction")
                    .hasMessageContaining("Run it again");
            assertThat(cluster.stored()).containsExactly("0 → 16", "0 → 16");
            assertThat(lowerHalf(cluster.nextIds(0, 2000))).isTrue();
            assertThat(cluster.lease(0, 16, MINUTE)).isEqualTo("OTHER_DIVISION");
            statement.execute("FETCH ALL FROM ids");
            connection.commit();
        }
        isInBetween(cluster, 0, 16);

        cluster.change(16, PLENTY);

        assertThat(cluster.stored()).containsExactly("16", "16");
        onlyStartsWith(cluster, 16, 0);
    }

    @Test
    void toNoneWindowsThatHaveNotEndedAreWaitedFor() {
        NodesCluster cluster = NodesCluster.of(32);
        long end = Long.parseLong(cluster.lease(1, 32, 5 * MINUTE));

        assertThatThrownBy(() -> cluster.change(0, Duration.ZERO))
                .isInstanceOf(JvmNodesChangeUnfinishedException.class)
                .hasMessageMatching("(?s).*the windows of leases, the last of which ends in (2\\d\\d|300) s,.*");

        assertThat(cluster.stored()).containsExactly("32 → 0", "32 → 0");
        assertThat(cluster.leasesFrom(1)).isEqualTo(end);
        assertThat(lowerHalf(cluster.nextIds(0, 2000))).isTrue();
        assertThat(cluster.lease(1, 32, MINUTE)).isEqualTo("OTHER_DIVISION");
        isInBetween(cluster, 32, 0);
    }

    @Test
    void toNoneGrantsThatHaveNotCommittedAreWaitedFor() throws SQLException {
        NodesCluster cluster = NodesCluster.of(32);
        try (Connection connection = cluster.home(0).connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT shard_0000.lease_node(gen_random_uuid(), NULL, 32, 1000)");
            assertThatThrownBy(() -> cluster.change(0, Duration.ZERO))
                    .isInstanceOf(JvmNodesChangeUnfinishedException.class)
                    .hasMessageContaining("the lock on the leases in shard_0000, held by the sessions with pid: "
                            + connection
                                    .unwrap(org.postgresql.PGConnection.class)
                                    .getBackendPID());
            connection.commit();
        }
        long end = cluster.home(0).queryLong("SELECT max(window_end) FROM shard_0000.sharded_id_lease");

        cluster.change(0, PLENTY);

        assertThat(cluster.earliest(1)).isEqualTo(end);
    }

    @Test
    void toNoneTheLongestLeaseIsWaitedForWhereLeasesMayHaveBeenLost() {
        NodesCluster cluster = NodesCluster.of(32);
        cluster.home(1).execute("UPDATE shard_0001.sharded_id_lease SET server = 'another'");

        assertThatThrownBy(() -> cluster.change(0, Duration.ZERO))
                .isInstanceOf(JvmNodesChangeUnfinishedException.class)
                .hasMessageMatching("(?s).*the last of which ends in (2\\d\\d|300) s,.*");
    }

    @Test
    void anotherChangeIsRefusedUntilOneIsComplete() {
        NodesCluster cluster = NodesCluster.of(32);
        cluster.home(1).execute("UPDATE sharded_id.cluster SET changing_to = 16");

        assertThatThrownBy(() -> cluster.change(8, PLENTY))
                .isInstanceOf(JvmNodesChangeRefusedException.class)
                .hasMessageContaining("In database pg2 jvm-nodes is being changed from 32 to 16");
        assertThatThrownBy(() -> cluster.change(32, PLENTY)).isInstanceOf(JvmNodesChangeRefusedException.class);
        assertThat(cluster.stored()).containsExactly("32", "32 → 16");
        cluster.change(16, PLENTY);
        assertThat(cluster.stored()).containsExactly("16", "16");
    }

    @Test
    void databasesAddedLaterKnowTheEarliestTimestamp() {
        NodesCluster cluster = NodesCluster.of(32);
        cluster.lease(0, 32, 500);
        cluster.change(0, PLENTY);
        TestCluster grown = cluster.databases()
                .with(IdLayout.DEFAULT.withJvmNodes(0), 2)
                .with("pg3", PostgresServers.shared(1).newDatabase(), "");

        grown.provision(TestCluster.GOOD);
        grown.provision(TestCluster.GOOD);

        assertThat(grown.database("pg3").queryLong("SELECT earliest FROM sharded_id.cluster"))
                .isPositive()
                .isEqualTo(cluster.earliest(0));
    }

    /** Windows of generations are so close there that each id is made under the lock. */
    @Test
    void inALayoutOfThirtyTwoBits() {
        Instant epoch = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(1000);
        IdLayout layout = new IdLayout(epoch, TimestampUnit.SECONDS, 25, 2, 5, 4);
        TestCluster cluster = TestCluster.ofOne(layout, 2);
        cluster.provision(TestCluster.GOOD);
        TestDatabase database = cluster.database("pg1");
        String ids = "SELECT shard_0001.next_ids('shard_0001.photo_id_seq', 100) & 31";
        long end = database.queryLong("SELECT window_end FROM shard_0001.lease_node(gen_random_uuid(), NULL, 4, 2)");

        new JvmNodesChange(cluster.definition(), cluster.sources()).run(0, PLENTY);
        assertThat(database.queryLong("SELECT earliest FROM sharded_id.cluster"))
                .isEqualTo(end);
        assertThat(database.query(ids)).contains("0", "15", "16", "31");
        cluster.with(layout.withJvmNodes(0), 2).provision(TestCluster.GOOD);

        new JvmNodesChange(cluster.definition(), cluster.sources()).run(8, PLENTY);
        assertThat(database.query(ids)).contains("0", "15").doesNotContain("16", "31");
        assertThat(database.queryLong("SELECT window_end FROM shard_0001.sharded_id_lease"))
                .isGreaterThan(end + 280);
    }

    @Test
    void aChangeToWhatIsThereAlreadyChangesNothing() {
        NodesCluster cluster = NodesCluster.of(32);
        var before = cluster.databases().dump();
        cluster.change(32, PLENTY);
        assertThat(cluster.databases().dump()).isEqualTo(before);
    }

    private static boolean lowerHalf(List<DecodedId> ids) {
        return ids.stream().allMatch(id -> id.sequence() < 512);
    }

    private static void onlyStartsWith(NodesCluster cluster, int nodes, int other) {
        var before = cluster.databases().dump();
        cluster.start(nodes);
        assertThatThrownBy(() -> cluster.start(other))
                .isInstanceOf(ProvisioningRefusedException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.LAYOUT_MISMATCH)
                .hasMessageContaining("jvm-nodes is " + nodes + " there, but configured as " + other)
                .hasMessageContaining("JvmNodesChange");
        assertThat(cluster.databases().dump()).isEqualTo(before);
    }

    /** Instances start with the number of before and after; neither they nor others change anything. */
    private static void isInBetween(NodesCluster cluster, int nodes, int next) {
        var before = cluster.databases().dump();
        cluster.start(nodes);
        cluster.start(next);
        assertThatThrownBy(() -> cluster.start(8))
                .isInstanceOf(ProvisioningRefusedException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.LAYOUT_MISMATCH)
                .hasMessageContaining(nodes + " there and being changed to " + next + ", but configured as 8");
        TestCluster grown =
                cluster.databases().with("pg3", PostgresServers.shared(1).newDatabase(), "");
        assertThatThrownBy(() -> grown.provision(TestCluster.GOOD))
                .isInstanceOf(JvmNodesChangeRefusedException.class)
                .hasMessageContaining("[pg3] cannot be added");
        assertThat(cluster.databases().dump()).isEqualTo(before);
    }
}
