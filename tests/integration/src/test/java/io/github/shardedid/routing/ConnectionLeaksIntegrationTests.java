package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Whatever is done with a statement, its connection goes back: at its end or at the transaction's, errors included. */
@Tag("quick")
class ConnectionLeaksIntegrationTests {
    private static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";
    private static final String FAILING = "SELECT 1 / (id - 1) FROM sharded_id_shard.photo";
    private final TwoDatabases databases = new TwoDatabases();

    @AfterEach
    void close() {
        databases.close();
    }

    @FunctionalInterface
    private interface Use {
        void of(Connection connection) throws SQLException;
    }

    /** What leaves the transaction without a connection. */
    private static Map<String, Use> plain() {
        Map<String, Use> uses = new LinkedHashMap<>();
        uses.put("read to the end", c -> TwoDatabases.read(c, 0, SELECT));
        uses.put("never executed", c -> c.prepareStatement(SELECT).close());
        uses.put("not read", c -> prepared(c, PreparedStatement::executeQuery));
        uses.put("described", c -> prepared(c, PreparedStatement::getMetaData));
        uses.put("executed twice", c -> prepared(c, ConnectionLeaksIntegrationTests::executeTwice));
        uses.put("closed twice", c -> prepared(c, ConnectionLeaksIntegrationTests::closeEarly));
        uses.put("result left open", c -> prepared(c, s -> s.executeQuery().next()));
        uses.put("with a time-out", c -> prepared(c, ConnectionLeaksIntegrationTests::withTimeout));
        uses.put("close on completion", ConnectionLeaksIntegrationTests::closeOnCompletion);
        uses.put("scrollable", ConnectionLeaksIntegrationTests::scrolled);
        uses.put("callable", ConnectionLeaksIntegrationTests::called);
        uses.put("plain statement", c -> statement(c, s -> s.executeQuery(SELECT)));
        uses.put("plain statement without SQL", c -> statement(c, Statement::getUpdateCount));
        uses.put("plain statement on two databases", ConnectionLeaksIntegrationTests::onTwoDatabases);
        uses.put("unknown table", c -> failing(c, "SELECT * FROM sharded_id_shard.nowhere"));
        uses.put("no SQL", c -> failing(c, "SELECT FROM WHERE"));
        uses.put("fails", c -> failing(c, FAILING));
        uses.put("array", c -> c.createArrayOf("int8", new Object[] {1L}));
        uses.put("metadata", c -> c.getMetaData().getDatabaseProductName());
        uses.put("metadata's result", c -> c.getMetaData().getSchemas().close());
        uses.put("refused", c -> assertThatThrownBy(() -> TwoDatabases.write(c, 0, "COMMIT")));
        return uses;
    }

    /** What holds a connection until the end of the transaction. */
    private static Map<String, Use> holding() {
        Map<String, Use> uses = new LinkedHashMap<>();
        uses.put("insert", c -> insert(c, 0, 7));
        uses.put("insert that fails", c -> assertThatThrownBy(() -> insert(c, 0, 1)));
        uses.put("prepared insert never executed", c -> c.prepareStatement("DELETE FROM photo")
                .close());
        uses.put("lock", c -> TwoDatabases.read(c, 0, SELECT + " FOR UPDATE"));
        uses.put("function", c -> TwoDatabases.read(c, 0, "SELECT sharded_id_shard.sneak(7)"));
        uses.put("fetched bit by bit", c -> prepared(c, ConnectionLeaksIntegrationTests::stream));
        uses.put("never closed", c -> c.prepareStatement(SELECT).executeQuery());
        uses.put("plain statement never closed", c -> c.createStatement().executeQuery(SELECT));
        uses.put("failed and never closed", ConnectionLeaksIntegrationTests::failedAndNeverClosed);
        uses.put("the driver's connection", c -> c.unwrap(PGConnection.class).getBackendPID());
        uses.put(
                "batch",
                c -> statement(c, s -> {
                    s.addBatch("DELETE FROM photo WHERE id = 99");
                    return s.executeBatch();
                }));
        return uses;
    }

    @FunctionalInterface
    private interface Work<S> {
        Object with(S statement) throws SQLException;
    }

    private static void prepared(Connection connection, Work<PreparedStatement> work) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
            work.with(statement);
        }
    }

    private static void statement(Connection connection, Work<Statement> work) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            work.with(statement);
        }
    }

    private static Object closeEarly(PreparedStatement statement) throws SQLException {
        statement.close();
        return statement;
    }

    private static Object executeTwice(PreparedStatement statement) throws SQLException {
        statement.execute();
        return statement.execute();
    }

    private static Object withTimeout(PreparedStatement statement) throws SQLException {
        statement.setQueryTimeout(30);
        return statement.executeQuery();
    }

    private static Object stream(PreparedStatement statement) throws SQLException {
        statement.setFetchSize(1);
        return statement.executeQuery().next();
    }

    private static void closeOnCompletion(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(SELECT);
        statement.closeOnCompletion();
        statement.executeQuery().close();
    }

    private static void scrolled(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        SELECT, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery()) {
            assertThat(rows.last()).isTrue();
        }
    }

    private static void called(Connection connection) throws SQLException {
        try (CallableStatement statement = connection.prepareCall(SELECT)) {
            statement.execute();
        }
    }

    private static void onTwoDatabases(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int shard = 0; shard < 4; shard++) {
                try (ShardContext.Scope scope = ShardContext.open(shard)) {
                    assertThat(statement.executeQuery(SELECT).next()).isTrue();
                }
            }
        }
    }

    private static void failing(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(() -> TwoDatabases.read(connection, 0, sql)).isInstanceOf(SQLException.class);
    }

    private static void failedAndNeverClosed(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(FAILING);
        assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
    }

    private void use(Connection connection, Use use) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(0)) {
            use.of(connection);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlainQueryHoldsAConnectionNoLongerThanItsStatement(boolean transactional) throws SQLException {
        for (Map.Entry<String, Use> each : plain().entrySet()) {
            try (Connection connection = databases.routed.getConnection()) {
                connection.setAutoCommit(!transactional);
                use(connection, each.getValue());
                assertThat(databases.taken()).as(each.getKey()).isZero();
            }
            assertThat(databases.taken()).as(each.getKey()).isZero();
        }
    }

    @Test
    void everythingElseHoldsItUntilTheTransactionEndsHoweverItEnds() throws SQLException {
        Map<String, Use> ends = new LinkedHashMap<>();
        ends.put("rollback", Connection::rollback);
        ends.put("close", Connection::close);
        ends.put("abort", c -> c.abort(Runnable::run));
        ends.put("commit or its failure", ConnectionLeaksIntegrationTests::commit);
        ends.put("autocommit or its failure", ConnectionLeaksIntegrationTests::autocommit);
        for (Map.Entry<String, Use> each : holding().entrySet()) {
            for (Map.Entry<String, Use> end : ends.entrySet()) {
                String what = each.getKey() + ", " + end.getKey();
                databases.pg1.execute("DELETE FROM shard_0000.photo WHERE id <> 1");
                try (Connection connection = databases.transaction()) {
                    use(connection, each.getValue());
                    assertThat(databases.taken()).as(what).isEqualTo(1);
                    end.getValue().of(connection);
                    assertThat(databases.taken()).as(what).isZero();
                }
            }
        }
    }

    private static void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("25P02");
        }
    }

    private static void autocommit(Connection connection) {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("25P02");
        }
    }

    @Test
    void aConnectionThatBreaksUnderAPlainQueryIsNotKept() throws SQLException {
        databases.warmUp();
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0)) {
            try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
                statement.executeQuery();
                databases.tap1.cut();
                assertThatThrownBy(statement::executeQuery)
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining("pg1");
            }
            assertThat(databases.taken()).isZero();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(TwoDatabases.read(connection, 2, SELECT)).isEqualTo("of shard 2");
        }
        assertThat(databases.taken()).isZero();
    }

    @Test
    void aConnectionThatItsPoolHasClosedIsForgotten() throws SQLException {
        WeakReference<PGConnection> used = usedConnection();
        databases.pool1.getHikariPoolMXBean().softEvictConnections();
        await().until(() -> {
            System.gc();
            return used.get() == null;
        });
    }

    private WeakReference<PGConnection> usedConnection() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            return new WeakReference<>(connection.unwrap(PGConnection.class));
        }
    }
}
