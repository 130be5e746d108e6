package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.generator.LeaseTableModel.Answer;
import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lease functions on a real server, side by side with the model that the interleavings are explored on. */
@Tag("quick")
class LeaseFunctionsIntegrationTests {
    private static final int LONGEST = 300_000;
    private static final int STEPS = 60_000;

    @Test
    void theFunctionsAnswerAsTheModelDoes() throws SQLException {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT.withJvmNodes(4), 2);
        cluster.takeOverClockAndServer();
        LeaseTableModel model = LeaseTableModel.fresh(LeaseTableModel.allRules(), LONGEST, 4);
        int clock = 1_000_000;
        int server = 0;
        try (Connection connection = cluster.database().connect();
                Statement sql = connection.createStatement()) {
            sql.execute("UPDATE sharded_id.seam SET server = '0', clock = " + clock);
            sql.execute("UPDATE shard_0001.sharded_id_lease SET server = sharded_id.lease_stamp()");
            for (int step = 0; step < 3000; step++) {
                String where = "step " + step + " of seed " + seed;
                int holder = random.nextInt(6);
                int kind = random.nextInt(100);
                if (kind < 60) {
                    int wanted = random.nextInt(5) - 1;
                    int division = random.nextInt(20) == 0 ? 8 : model.nodes();
                    Answer expected = model.lease(holder, wanted, division, clock, STEPS);
                    assertThat(lease(sql, holder, wanted, division)).as(where).isEqualTo(textOf(expected));
                    model = expected.table();
                } else if (kind < 75) {
                    int stamp = clock + random.nextInt(2 * STEPS) - STEPS;
                    sql.execute("SELECT shard_0001.release_node('" + uuid(holder) + "', " + stamp + ")");
                    model = model.release(holder, -1, stamp);
                } else if (kind < 98) {
                    clock = Math.max(0, clock + random.nextInt(STEPS) - STEPS / 4);
                    sql.execute("UPDATE sharded_id.seam SET clock = " + clock);
                } else if (kind == 98) {
                    server++;
                    sql.execute("UPDATE sharded_id.seam SET server = '" + server + "'");
                    model = model.on(server);
                } else {
                    int nodes = 1 << random.nextInt(3);
                    sql.execute("UPDATE sharded_id.cluster SET jvm_nodes = " + nodes);
                    model = model.dividedInto(nodes);
                }
            }
        }
        assertThat(cluster.database()
                        .query("SELECT node || ' ' || window_start || ' ' || window_end"
                                + " FROM shard_0001.sharded_id_lease WHERE node >= 0 ORDER BY node"))
                .as("seed " + seed)
                .isEqualTo(model.rows().entrySet().stream()
                        .map(row -> row.getKey() + " " + row.getValue().start() + " "
                                + row.getValue().end())
                        .toList());
    }

    private static UUID uuid(int holder) {
        return new UUID(0, holder);
    }

    private static String textOf(Answer answer) {
        return answer.node() < 0 ? answer.refused() : answer.node() + " " + answer.start() + " " + answer.end();
    }

    private static String lease(Statement sql, int holder, int wanted, int division) throws SQLException {
        try (ResultSet row =
                sql.executeQuery("SELECT coalesce(refused, node || ' ' || window_start || ' ' || window_end)"
                        + " FROM shard_0001.lease_node('" + uuid(holder) + "', " + wanted + ", " + division + ", "
                        + STEPS + ")")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aShardWhoseLeasesDidNotComeWithItGrantsNoneForTheLongestLease() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        cluster.takeOverClockAndServer();
        cluster.clock(5_000);
        cluster.database().execute("DELETE FROM shard_0001.sharded_id_lease");
        try (Connection connection = cluster.database().connect();
                Statement sql = connection.createStatement()) {
            assertThat(lease(sql, 1, -1, 64)).isEqualTo("LOCKED");
            cluster.clock(5_000 + LONGEST - 1);
            assertThat(lease(sql, 1, -1, 64)).isEqualTo("EARLIER_LEASES");
            cluster.clock(5_000 + LONGEST);
            assertThat(lease(sql, 1, -1, 64)).isEqualTo("0 305000 365000");
        }
    }

    @Test
    void noWindowReachesPastTheEndOfTheEpoch() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        cluster.takeOverClockAndServer();
        long last = IdLayout.DEFAULT.maxTimestamp();
        cluster.database().execute("UPDATE shard_0001.sharded_id_lease SET server = sharded_id.lease_stamp()");
        try (Connection connection = cluster.database().connect();
                Statement sql = connection.createStatement()) {
            cluster.clock(last - 10);
            assertThat(lease(sql, 1, -1, 64)).isEqualTo("0 " + (last - 10) + " " + (last + 1));
            cluster.clock(last + 1);
            assertThat(lease(sql, 2, -1, 64)).isEqualTo("EPOCH_EXHAUSTED");
        }
    }

    @Test
    void noNodeIsLeasedWhereTheDatabaseHasTheWholeSequence() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT.withJvmNodes(0), 2);
        try (Connection connection = cluster.database().connect();
                Statement sql = connection.createStatement()) {
            assertThat(lease(sql, 1, -1, 0)).isEqualTo("OTHER_DIVISION");
            assertThat(lease(sql, 1, -1, 64)).isEqualTo("OTHER_DIVISION");
        }
    }

    @Test
    void aUserOfTheSchemaMayLeaseAndNobodyElse() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        String user = "u_" + cluster.database().name();
        cluster.database()
                .execute("CREATE ROLE " + user + " LOGIN PASSWORD 'p'; GRANT USAGE ON SCHEMA shard_0001 TO " + user
                        + "; SELECT sharded_id.grant_writing('" + user + "')");
        try (Connection connection =
                        java.sql.DriverManager.getConnection(cluster.database().url(), user, "p");
                Statement sql = connection.createStatement()) {
            assertThat(lease(sql, 1, -1, 64)).matches("\\d+ \\d+ \\d+");
            assertThatThrownBy(() ->
                            sql.execute("SELECT sharded_id.lease_node('shard_0000', '" + uuid(1) + "', -1, 64, 1000)"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied for schema shard_0000");
            assertThatThrownBy(() -> sql.execute("TABLE shard_0001.sharded_id_lease"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied");
        } finally {
            cluster.database().execute("DROP OWNED BY " + user + "; DROP ROLE " + user);
        }
    }

    @Test
    void idsAboveOneThatIsAheadOfTheClockAreAboveIt() throws SQLException {
        IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 2);
        IdLayout layout = cluster.layout();
        long now = layout.timestampOf(java.time.Instant.now());
        long floor = layout.encode(now + 3_600_000, 1, 700);
        for (int n : new int[] {1, 5, 2000}) {
            assertThat(cluster.database()
                            .query("SELECT min(i) FROM shard_0001.next_ids_after('shard_0001.photo_id_seq', " + n + ", "
                                    + floor + ") i"))
                    .allSatisfy(id -> assertThat(Long.parseLong(id)).isGreaterThan(floor));
        }
        long next = cluster.database().queryLong("SELECT shard_0001.next_id('shard_0001.photo_id_seq')");
        assertThat(next).isGreaterThan(floor);
        assertThat(layout.shardOf(next)).isEqualTo(1);
    }
}
