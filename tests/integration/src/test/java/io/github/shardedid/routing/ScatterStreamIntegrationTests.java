package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of several shards that are fetched as they are read. */
class ScatterStreamIntegrationTests extends ScatteredPhotos {
    private static final String MANY =
            "select p.id, g.g from sharded_id_shard.photo p cross join generate_series(1, ?) g";

    /** Each shard has six photos: more rows than {@code maxRows}, of which each statement sends ten at a time. */
    @Test
    void rowsComeInOrderAndNoMoreAreFetchedThanAreRead() throws SQLException {
        cluster.all(IDS + " limit 1");
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all().perShard());
                PreparedStatement statement = connection.prepareStatement(MANY + " order by p.id desc, g.g")) {
            statement.setFetchSize(10);
            assertThat(statement.getFetchSize()).isEqualTo(10);
            statement.setInt(1, 1_000);
            cluster.resetTaps();
            long rows = 0;
            long received = 0;
            try (ResultSet result = statement.executeQuery()) {
                assertThat(cluster.taken()).isEqualTo(2);
                for (int photo = 35; photo >= 0; photo--) {
                    for (int g = 1; g <= 1_000; g++) {
                        assertThat(result.next()).isTrue();
                        assertThat(result.getLong(1)).isEqualTo(photo / 6 * 10 + photo % 6);
                        assertThat(result.getInt(2)).isEqualTo(g);
                        rows++;
                    }
                    if (photo == 35) {
                        received = cluster.turns();
                    }
                }
                assertThat(result.next()).isFalse();
            }
            assertThat(rows).isEqualTo(36_000);
            // Before the second photo was read, little of its own was fetched, and nothing of those behind it.
            assertThat(received).isLessThan(cluster.turns() / 20);
        }
    }

    @Test
    void closingEarlyGivesTheConnectionsBack() throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope =
                        ShardContext.open(ShardSet.all().perShard().withFetchSize(5))) {
            for (String order : List.of("", " order by p.id", " limit 1000")) {
                try (PreparedStatement statement = connection.prepareStatement(MANY + order)) {
                    statement.setInt(1, 1_000);
                    try (ResultSet result = statement.executeQuery()) {
                        assertThat(result.next()).isTrue();
                        assertThat(cluster.taken()).isEqualTo(2);
                    }
                    assertThat(cluster.taken()).isZero();
                }
            }
            PreparedStatement open = connection.prepareStatement(MANY);
            open.setInt(1, 1_000);
            assertThat(open.executeQuery().next()).isTrue();
        }
        assertThat(cluster.taken()).isZero();
        for (TestDatabase database : cluster.databases) {
            assertThat(database.queryLong(
                            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state"
                                    + " LIKE 'idle in%'"))
                    .isZero();
        }
    }

    /** A row in the middle of those of shard 3 fails: those before it were read. */
    @Test
    void aShardThatFailsLaterFailsTheStreamByName() throws SQLException {
        String sql = "select p.id, 1 / (case p.id when 33 then g.g - 500 else 1 end) from sharded_id_shard.photo p"
                + " cross join generate_series(1, ?) g";
        List<Long> read = new ArrayList<>();
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> read(sql, 1_000, 1, read))
                .withMessageContaining("the shards 1, 3 of database pg2")
                .withMessageContaining("division by zero");
        assertThat(read).contains(33L);
        read.clear();
        assertThatThrownBy(() -> read(MANY + " order by p.id", 1_000, 1, read, () -> cluster.taps
                        .get(1)
                        .cut()))
                .hasMessageContaining("incomplete without database pg2, whose shards");
        cluster.restore(1);
        assertThat(read).isNotEmpty();
        await().until(() -> cluster.taken() == 0);
    }

    private void read(String sql, int parameter, int fetchSize, List<Long> read, Runnable... afterFirst)
            throws SQLException {
        try (Connection connection = cluster.routed.getConnection();
                ShardContext.Scope scope =
                        ShardContext.open(ShardSet.all().perShard().withFetchSize(fetchSize));
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, parameter);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    read.add(result.getLong(1));
                    if (read.size() == 1 && afterFirst.length > 0) {
                        afterFirst[0].run();
                    }
                }
            }
        }
    }

    @Test
    void aStreamSeesWhatItsTransactionHasWrittenAndTheTransactionGoesOn() throws SQLException {
        try (Connection connection = cluster.routed.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 112);
            try (ShardContext.Scope scope =
                            ShardContext.open(ShardSet.all().perShard().withFetchSize(2));
                    PreparedStatement statement = connection.prepareStatement(IDS + " order by p.id desc");
                    ResultSet result = statement.executeQuery()) {
                assertThat(result.next()).isTrue();
                assertThat(result.getLong(1)).isEqualTo(112);
                insert(connection, 128);
                int others = 0;
                while (result.next()) {
                    others++;
                }
                assertThat(others).isEqualTo(36);
            }
            insert(connection, 144);
            connection.rollback();
        }
    }

    private static void insert(Connection connection, int id) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(0);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO sharded_id_shard.photo (id) VALUES (" + id + ")");
        }
    }

    /** A gigabyte of rows through a heap of 64 MB. */
    @Tag("slow")
    @Test
    void memoryDoesNotDependOnTheNumberOfRows() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.real.class.path", System.getProperty("java.class.path")),
                ScatterStreamMain.class.getName(),
                Integer.toString(10_000_000 / 36 + 1)));
        for (TestDatabase database : cluster.databases) {
            command.add("jdbc:postgresql://localhost:" + database.server().port() + "/" + database.name() + "?user="
                    + database.server().username() + "&password="
                    + database.server().password());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("10000008 rows in order");
    }

    @Test
    void textsThatADatabaseOrdersAreNotStreamed() {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> cluster.in(ShardSet.all().perShard().withFetchSize(10), IDS + " order by p.caption"))
                .withMessageContaining("fetched as they are read")
                .withMessageContaining("a List instead of a Stream");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ShardSet.all().perShard().withFetchSize(-1));
    }
}
