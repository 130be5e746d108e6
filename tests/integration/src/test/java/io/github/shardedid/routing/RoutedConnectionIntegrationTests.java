package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class RoutedConnectionIntegrationTests extends RoutedBothWays {
    @Test
    void statementsLeadBackToTheRoutedConnection() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(2)) {
            try (PreparedStatement prepared = connection.prepareStatement(SELECT);
                    CallableStatement callable = connection.prepareCall(SELECT);
                    Statement plain = connection.createStatement()) {
                assertThat(prepared.getConnection()).isSameAs(connection);
                assertThat(callable.getConnection()).isSameAs(connection);
                assertThat(plain.getConnection()).isSameAs(connection);
                assertThat(prepared.isWrapperFor(PreparedStatement.class)).isTrue();
                assertThat(prepared.getMetaData().getColumnName(1)).isEqualTo("caption");
                assertThat(databases.taken()).isEqualTo(1);
            }
            assertThat(databases.taken()).isZero();
        }
    }

    @Test
    @Tag("quick")
    void aPlainStatementGoesWhereverItsTextGoesAndKeepsItsSettings() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setMaxRows(1);
            statement.setFetchSize(7);
            for (int shard = 0; shard < 4; shard++) {
                try (ShardContext.Scope scope = ShardContext.open(shard);
                        ResultSet rows = statement.executeQuery("SELECT caption FROM photo, generate_series(1, 5)")) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("of shard " + shard);
                    assertThat(rows.next()).isFalse();
                    assertThat(statement.getFetchSize()).isEqualTo(7);
                }
                assertThat(databases.taken()).isEqualTo(1);
            }
        }
    }

    @Test
    void anUnusedPlainStatementAnswersFromItsRecord() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(5);
            assertThat(statement.getQueryTimeout()).isEqualTo(5);
            assertThat(statement.getFetchSize()).isZero();
            assertThat(statement.getUpdateCount()).isEqualTo(-1);
            assertThat(statement.getResultSet()).isNull();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.executeBatch()).isEmpty();
            assertThat(statement.enquoteLiteral("a'b")).isEqualTo("'a''b'");
            statement.cancel();
            statement.clearWarnings();
            statement.close();
            statement.close();
            assertThat(statement.isClosed()).isTrue();
            assertThatThrownBy(statement::getFetchSize).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void closeOnCompletionGivesTheConnectionBack() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(2)) {
            PreparedStatement prepared = connection.prepareStatement(SELECT);
            prepared.closeOnCompletion();
            ResultSet rows = prepared.executeQuery();
            assertThat(rows.getStatement()).isSameAs(prepared);
            rows.close();
            assertThat(prepared.isClosed()).isTrue();
            assertThat(databases.taken()).isZero();
        }
    }

    @Test
    @Tag("quick")
    void errorsLeakNothing() throws SQLException {
        try (Connection connection = databases.routed.getConnection()) {
            assertThatThrownBy(() -> read(connection, 0, "SELECT nonsense")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> write(connection, 2, "nonsense")).isInstanceOf(SQLException.class);
            assertThat(databases.taken()).isZero();
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> insert(connection, 0, 1)).isInstanceOf(SQLException.class);
            assertThat(read(connection, 2, SELECT + " FOR SHARE")).isEqualTo("of shard 2");
            assertThat(databases.taken()).isEqualTo(2);
        }
    }

    @Test
    void statementsThatWereNeverClosedGoWithTheirConnection() throws SQLException {
        Connection connection = databases.routed.getConnection();
        PreparedStatement open;
        try (ShardContext.Scope scope = ShardContext.open(0)) {
            open = connection.prepareStatement(SELECT);
            connection.createStatement().execute(SELECT);
        }
        connection.close();
        connection.close();
        assertThat(databases.taken()).isZero();
        assertThatThrownBy(open::executeQuery).isInstanceOf(SQLException.class);
        open.close();
    }

    @Test
    @Tag("quick")
    void closingInATransactionRollsBack() throws SQLException {
        Connection connection = databases.transaction();
        insert(connection, 0, 5);
        read(connection, 2, SELECT);
        connection.close();
        assertThat(databases.taken()).isZero();
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void aStatementDoesNotOutliveItsTransaction() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement prepared = connection.prepareStatement(SELECT);
                Statement plain = connection.createStatement()) {
            prepared.executeQuery();
            plain.executeQuery(SELECT);
            connection.commit();
            assertThat(databases.taken()).isZero();
            assertThatThrownBy(prepared::executeQuery)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Prepare the statement again");
            assertThat(plain.executeQuery(SELECT).next()).isTrue();
        }
    }

    @Test
    void aStatementPreparedInAutocommitJoinsTheTransaction() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO sharded_id_shard.photo VALUES (5, 'a')")) {
            connection.setAutoCommit(false);
            insert.executeUpdate();
            assertThatThrownBy(() -> insert(connection, 1, 5)).isInstanceOf(SecondWriteShardException.class);
            connection.rollback();
        }
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    @Tag("quick")
    void aClosedConnectionRefusesEverything() throws SQLException {
        Connection connection = databases.routed.getConnection();
        connection.close();
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isValid(1)).isFalse();
        assertThatThrownBy(() -> read(connection, 0, SELECT)).isInstanceOf(SQLException.class);
        assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
        assertThatThrownBy(connection::getMetaData).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> connection.setAutoCommit(false)).isInstanceOf(SQLException.class);
        assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    }

    @Test
    void abortingEndsTheSessions() throws SQLException {
        Connection connection = databases.transaction();
        insert(connection, 0, 5);
        connection.abort(Runnable::run);
        assertThat(connection.isClosed()).isTrue();
        connection.close();
        assertThat(databases.taken()).isZero();
        assertThat(databases.count(0)).isEqualTo(1);
    }

    @Test
    void metadataComesFromAnyDatabaseThatIsUp() throws SQLException {
        try (TwoDatabases halfUp = new TwoDatabases(options);
                Connection connection = halfUp.routed.getConnection()) {
            halfUp.tap1.cut();
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(metaData.getDatabaseProductName()).isEqualTo("PostgreSQL");
            assertThat(metaData.getConnection()).isSameAs(connection);
            assertThat(halfUp.taken()).isZero();
            try (ShardContext.Scope scope = ShardContext.open(3);
                    ResultSet tables = metaData.getTables(null, null, "photo", null)) {
                assertThat(tables.next()).isTrue();
            }
            assertThat(halfUp.taken()).isZero();
        }
    }

    @Test
    @Tag("quick")
    void arraysAndTheDriversConnectionAreTheCurrentShards() throws SQLException {
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(2)) {
            java.sql.Array ids = connection.createArrayOf("int8", new Object[] {1L});
            assertThat(databases.taken()).isZero();
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT caption FROM sharded_id_shard.photo WHERE id = ANY (?)")) {
                select.setArray(1, ids);
                assertThat(select.executeQuery().next()).isTrue();
            }
            assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
            assertThat(connection.unwrap(PGConnection.class).getBackendPID()).isPositive();
            assertThat(databases.taken()).isEqualTo(1);
        }
    }

    @Test
    void aDataSourceWithoutAPoolWorksToo() throws SQLException {
        DataSource plain = databases.pg1.dataSource();
        RoutingDataSource routed = new RoutingDataSource(databases.cluster, Map.of("pg1", plain));
        try (Connection connection = routed.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 0, 5);
            connection.commit();
            assertThat(read(connection, 1, "SELECT caption FROM photo")).isEqualTo("of shard 1");
            assertThatThrownBy(() -> read(connection, 2, SELECT))
                    .isInstanceOf(DatabaseUnavailableException.class)
                    .hasMessageContaining("pg2");
        }
        assertThat(databases.count(0)).isEqualTo(2);
    }

    @Test
    @Tag("quick")
    void settingsAreRestoredOnConnectionsThatNoPoolResets() throws SQLException {
        try (Connection single = databases.pg1.connect()) {
            DataSource unclosed = new org.postgresql.ds.PGSimpleDataSource() {
                @Override
                public Connection getConnection() {
                    return neverClosed(single);
                }
            };
            RoutingDataSource routed = new RoutingDataSource(databases.cluster, Map.of("pg1", unclosed));
            try (Connection connection = routed.getConnection()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setReadOnly(true);
                assertThat(read(connection, 0, "SHOW transaction_isolation")).isEqualTo("serializable");
                connection.setAutoCommit(false);
                assertThat(read(connection, 0, "SHOW transaction_read_only")).isEqualTo("on");
                connection.commit();
                assertThat(single.getAutoCommit()).isTrue();
            }
            assertThat(single.isReadOnly()).isFalse();
            assertThat(single.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    private static Connection neverClosed(Connection connection) {
        return (Connection) java.lang.reflect.Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
    }

    @Test
    void threadsDoNotMeet() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<String>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int worker = i;
                work.add(() -> readAndWrite(worker));
            }
            for (Future<String> result : threads.invokeAll(work)) {
                assertThat(result.get()).isEqualTo("done");
            }
        } finally {
            threads.shutdown();
        }
        assertThat(databases.count(0) + databases.count(1) + databases.count(2) + databases.count(3))
                .isEqualTo(4 + 8 * 50 / 2);
    }

    private String readAndWrite(int worker) throws SQLException {
        for (int i = 0; i < 50; i++) {
            int shard = (worker + i) % 4;
            try (Connection connection = databases.transaction()) {
                assertThat(read(connection, shard, "SELECT caption FROM photo WHERE id = 1"))
                        .isEqualTo("of shard " + shard);
                insert(connection, shard, 1_000L * (worker + 1) + i);
                if (i % 2 == 0) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            try (Connection connection = databases.routed.getConnection()) {
                assertThat(read(connection, 3 - shard, "SELECT caption FROM photo WHERE id = 1"))
                        .isEqualTo("of shard " + (3 - shard));
            }
        }
        return "done";
    }
}
