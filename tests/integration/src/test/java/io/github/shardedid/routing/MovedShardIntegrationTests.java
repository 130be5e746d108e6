package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Shard 0 moves from pg1 to pg2; nobody tells this application but the databases' errors. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class MovedShardIntegrationTests {
    private static final String MIGRATIONS = "classpath:db/moves";
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = ?";
    private static final String INSERT = "INSERT INTO sharded_id_shard.photo VALUES (?, ?)";

    @Parameter
    boolean deferredBegin;

    private final TestCluster cluster = TestCluster.withoutIdConstraints(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
    private final HandMadeMove move = HandMadeMove.of(cluster, 0);
    private RoutingDataSource routed = cluster.dataSource();

    @BeforeEach
    void configure() {
        routed = new RoutingDataSource(
                cluster.cluster(),
                cluster.sources(),
                RoutingOptions.DEFAULT.withDeferredBegin(deferredBegin).withFenceWait(Duration.ofSeconds(60)));
        move.prepare(MIGRATIONS);
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(cluster.activeConnections()).isZero();
        cluster.close();
    }

    private Connection transaction() throws SQLException {
        Connection connection = routed.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static PreparedStatement prepare(Connection connection, int shard, String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard)) {
            return connection.prepareStatement(sql);
        }
    }

    private static String read(Connection connection, int shard) throws SQLException {
        try (PreparedStatement select = prepare(connection, shard, SELECT)) {
            select.setLong(1, 1);
            return first(select);
        }
    }

    private static String first(PreparedStatement select) throws SQLException {
        try (ResultSet rows = select.executeQuery()) {
            return rows.next() ? rows.getString(1) : "no row";
        }
    }

    private static void insert(Connection connection, int shard, long id) throws SQLException {
        try (PreparedStatement insert = prepare(connection, shard, INSERT)) {
            insert.setLong(1, id);
            insert.setString(2, "new");
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
    }

    @Test
    @Tag("quick")
    void theFirstStatementsOfTransactionsGoOnAtTheNewHome() throws SQLException {
        move.finish();
        try (Connection connection = transaction()) {
            insert(connection, 0, 5);
            assertThat(read(connection, 0)).isEqualTo("first");
            insert(connection, 0, 6);
            connection.commit();
            assertThat(read(connection, 0)).isEqualTo("first");
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(2);
        assertThat(cluster.cluster().map().get().databaseOf(0)).isEqualTo("pg2");
        assertThat(cluster.cluster().map().version()).isEqualTo(2);
    }

    /** As after a pause of the process that was longer than statements wait. */
    @Test
    void aStatementGoesToTheNewHomeOnceHoweverLateThatIs() throws SQLException {
        routed = new RoutingDataSource(
                cluster.cluster(),
                cluster.sources(),
                RoutingOptions.DEFAULT.withDeferredBegin(deferredBegin).withFenceWait(Duration.ZERO));
        move.finish();
        try (Connection connection = transaction()) {
            insert(connection, 0, 5);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void statementsInAutocommitGoOnAtTheNewHome() throws SQLException {
        try (Connection connection = routed.getConnection();
                PreparedStatement insert = prepare(connection, 0, INSERT);
                PreparedStatement select = prepare(connection, 0, SELECT)) {
            insert.setLong(1, 5);
            insert.setString(2, "new");
            insert.executeUpdate();
            select.setLong(1, 1);
            for (int i = 0; i < 10; i++) {
                assertThat(first(select)).isEqualTo("first"); // prepared by the server, too
            }
            move.finish();
            assertThat(first(select)).isEqualTo("first");
            insert.setLong(1, 6);
            insert.executeUpdate();
            assertThat(first(select)).isEqualTo("first");
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(2);
        assertThat(move.atSource("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    void batchesAreRepeatedAsAWhole() throws SQLException {
        move.finish();
        try (Connection connection = transaction();
                PreparedStatement insert = prepare(connection, 0, INSERT)) {
            for (int i = 0; i < 1_000; i++) {
                insert.setLong(1, 5 + i);
                insert.setString(2, "new");
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(1_000).containsOnly(1);
            insert.setLong(1, 5_000);
            insert.addBatch();
            assertThat(insert.executeBatch()).containsExactly(1);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1_001);
    }

    @Test
    void batchesInAutocommitAreRepeatedAsAWhole() throws SQLException {
        move.finish();
        try (Connection connection = routed.getConnection();
                PreparedStatement insert = prepare(connection, 0, INSERT)) {
            for (int i = 0; i < 1_000; i++) {
                insert.setLong(1, 5 + i);
                insert.setString(2, "new");
                insert.addBatch();
            }
            assertThat(insert.executeLargeBatch()).hasSize(1_000).containsOnly(1L);
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1_000);
    }

    @Test
    void plainStatementsAndTheirBatchesGoOnAtTheNewHome() throws SQLException {
        try (Connection connection = transaction();
                Statement statement = connection.createStatement();
                ShardContext.Scope scope = ShardContext.open(0)) {
            statement.addBatch("INSERT INTO sharded_id_shard.photo VALUES (5, 'new')");
            statement.addBatch("UPDATE sharded_id_shard.photo SET caption = 'changed' WHERE id = 1");
            move.finish();
            assertThat(statement.executeBatch()).containsExactly(1, 1);
            connection.commit();
            assertThat(statement.executeUpdate("UPDATE sharded_id_shard.photo SET caption = 'again' WHERE id = 1"))
                    .isEqualTo(1);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
        assertThat(move.atTarget("photo", "caption = 'again'")).isEqualTo(1);
    }

    @Test
    void unqualifiedNamesAndFunctionsGoOnAtTheNewHome() throws SQLException {
        move.finish();
        try (Connection connection = transaction();
                Statement statement = connection.createStatement();
                ShardContext.Scope scope = ShardContext.open(0)) {
            assertThat(statement.executeUpdate("INSERT INTO photo (caption) VALUES ('new')"))
                    .isEqualTo(1);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    /** As those of applications that begin each transaction with the tenant or the user of policies and triggers. */
    @Test
    void whatATransactionHasSetGoesOnAtTheNewHome() throws SQLException {
        try (Connection connection = transaction();
                PreparedStatement set = prepare(
                        connection,
                        0,
                        "SELECT set_config('app.name', ?, true), set_config('lock_timeout', '4s', true)")) {
            set.setString(1, "ann");
            assertThat(first(set)).isEqualTo("ann");
            move.finish();
            insert(connection, 0, 5);
            try (PreparedStatement asked = prepare(
                    connection,
                    0,
                    "SELECT current_setting('app.name') || ' ' || current_setting('lock_timeout') FROM sharded_id_shard.photo")) {
                assertThat(first(asked)).isEqualTo("ann 4s");
            }
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    /** As long as the database has refused them before anything of them has run. */
    @Test
    void proceduresAndBlocksGoOnAtTheNewHome() throws SQLException {
        for (TestDatabase database : cluster.databases()) {
            database.execute("CREATE PROCEDURE shard_0000.recaption(bigint) LANGUAGE plpgsql AS"
                    + " $$ BEGIN UPDATE shard_0000.photo SET caption = 'called' WHERE id = $1; COMMIT; END $$");
        }
        move.finish();
        try (Connection connection = routed.getConnection();
                PreparedStatement call = prepare(connection, 0, "CALL sharded_id_shard.recaption(?)")) {
            call.setLong(1, 1);
            call.execute();
        }
        assertThat(move.atTarget("photo", "caption = 'called'")).isEqualTo(1);
        try (Connection connection = routed.getConnection();
                Statement statement = connection.createStatement();
                ShardContext.Scope scope = ShardContext.open(0)) {
            statement.execute("DO $$ BEGIN UPDATE photo SET caption = 'done' WHERE id = 1; END $$");
        }
        assertThat(move.atTarget("photo", "caption = 'done'")).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void aLaterStatementIsRefusedAndTheTransactionCanBeRunAgain() throws SQLException {
        try (Connection connection = transaction()) {
            insert(connection, 1, 5);
            move.finish();
            assertThatThrownBy(() -> lock(connection, 0))
                    .isInstanceOf(ShardMovedException.class)
                    .hasMessageContaining("Shard 0")
                    .hasMessageContaining("database pg1")
                    .hasMessageContaining("its home is pg2 now")
                    .hasMessageContaining("Run it again")
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("40001");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            insert(connection, 1, 5);
            lock(connection, 0);
            connection.commit();
        }
        assertThat(cluster.idsIn(1, "photo")).containsExactly(1L, 5L);
    }

    private static void lock(Connection connection, int shard) throws SQLException {
        try (PreparedStatement select = prepare(connection, shard, SELECT + " FOR SHARE")) {
            select.setLong(1, 1);
            assertThat(first(select)).isEqualTo("first");
        }
    }

    @Test
    void whatWasDoneOnOtherDatabasesStays() throws SQLException {
        move.finish();
        try (Connection connection = transaction()) {
            lock(connection, 2);
            insert(connection, 0, 5);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    void aSavepointBeforeTheFirstStatementIsNoHindrance() throws SQLException {
        move.finish();
        try (Connection connection = transaction()) {
            Savepoint savepoint = connection.setSavepoint();
            insert(connection, 0, 5);
            connection.rollback(savepoint);
            insert(connection, 0, 6);
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    void statementsPreparedBeforeTheMoveGoAfterIt() throws SQLException {
        try (Connection connection = transaction();
                PreparedStatement insert = prepare(connection, 0, INSERT);
                PreparedStatement select = prepare(connection, 0, SELECT)) {
            insert.setLong(1, 5);
            insert.setString(2, "new");
            select.setLong(1, 5);
            move.finish();
            insert.executeUpdate();
            assertThat(first(select)).isEqualTo("new");
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    void aStreamThatIsReadOnlyOnceIsNotSentAgain() throws SQLException {
        move.finish();
        try (Connection connection = transaction()) {
            try (PreparedStatement insert = prepare(connection, 0, INSERT)) {
                insert.setLong(1, 5);
                insert.setAsciiStream(2, new ByteArrayInputStream("new".getBytes(StandardCharsets.US_ASCII)), 3);
                assertThatThrownBy(insert::executeUpdate).isInstanceOf(ShardMovedException.class);
            }
            connection.rollback();
            try (PreparedStatement insert = prepare(connection, 0, INSERT)) {
                insert.setLong(1, 5);
                insert.setAsciiStream(2, new ByteArrayInputStream("new".getBytes(StandardCharsets.US_ASCII)), 3);
                insert.executeUpdate();
            }
            connection.commit();
        }
        assertThat(move.atTarget("photo", "caption = 'new'")).isEqualTo(1);
    }

    @Test
    void aTableThatIsNowhereIsSaidToBeMissing() throws SQLException {
        for (boolean autoCommit : List.of(true, false)) {
            try (Connection connection = routed.getConnection()) {
                connection.setAutoCommit(autoCommit);
                try (PreparedStatement select = prepare(connection, 0, "SELECT 1 FROM sharded_id_shard.nothing")) {
                    assertThatThrownBy(select::executeQuery)
                            .isNotInstanceOf(ShardMovedException.class)
                            .extracting(e -> ((SQLException) e).getSQLState())
                            .isEqualTo("42P01");
                }
                if (!autoCommit) {
                    assertThatThrownBy(() -> insert(connection, 0, 5)).isInstanceOf(SQLException.class);
                    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
                }
            }
        }
        assertThat(cluster.idsIn(0, "photo")).containsExactly(1L);
    }
}
