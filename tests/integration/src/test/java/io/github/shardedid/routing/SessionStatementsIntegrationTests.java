package io.github.shardedid.routing;

import static io.github.shardedid.routing.TwoDatabases.insert;
import static io.github.shardedid.routing.TwoDatabases.read;
import static io.github.shardedid.routing.TwoDatabases.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseStatement;
import org.postgresql.jdbc.PgConnection;

/** What sessions keep, what they are by default, and what leads to them past the statements. */
@Tag("quick")
class SessionStatementsIntegrationTests {
    private static final String ROWS = "SELECT id, caption FROM sharded_id_shard.photo";

    private TwoDatabases databases;

    @BeforeEach
    void create() {
        databases = new TwoDatabases();
    }

    @AfterEach
    void close() {
        databases.close();
    }

    @Test
    void whatRoutingReliesOnIsRefused() throws SQLException {
        databases.warmUp();
        for (boolean autoCommit : new boolean[] {true, false}) {
            try (Connection connection = databases.routed.getConnection()) {
                connection.setAutoCommit(autoCommit);
                for (String sql : List.of(
                        "SET search_path TO shard_0001",
                        "SET LOCAL search_path TO shard_0001",
                        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                        "SELECT 1 AS a INTO pg_temp.x",
                        "WITH w AS (SELECT 1 AS a) SELECT a INTO TABLE \"pg_temp\".x FROM w",
                        "EXPLAIN ANALYZE CREATE TABLE pg_temp.x AS SELECT 1 AS a",
                        "CREATE TEMP TABLE x (a int)")) {
                    assertThatThrownBy(() -> read(connection, 0, sql))
                            .as(sql)
                            .isInstanceOf(SQLFeatureNotSupportedException.class)
                            .hasMessageContainingAll("not sent", sql);
                    assertThatThrownBy(() -> write(connection, 0, sql)).as(sql).hasMessageContaining("not sent");
                }
            }
        }
        assertThat(databases.tap1.turns() + databases.tap2.turns()).isZero();
    }

    @Test
    void theRestIsAsWithAnyPool() throws SQLException {
        databases.pool1.setMaximumPoolSize(1);
        databases.pg1.execute("CREATE SEQUENCE shard_0000.s");
        try (Connection connection = databases.routed.getConnection()) {
            assertThat(read(connection, 0, "SELECT nextval('s')")).isEqualTo("1");
            assertThat(read(connection, 0, "SELECT currval('s')")).isEqualTo("1");
            write(connection, 0, "CREATE TABLE numbered (id bigint DEFAULT -1 * currval('s'))");
            write(connection, 0, "SET statement_timeout = '12345ms'");
            assertThat(read(connection, 1, "SHOW statement_timeout")).isEqualTo("12345ms");
            write(connection, 0, "RESET statement_timeout");
        }
        try (Connection connection = databases.transaction()) {
            write(connection, 0, "SET LOCAL statement_timeout = '12345ms'");
            read(connection, 0, "SELECT set_config('app.tenant', 'x', true)");
            assertThat(read(connection, 0, "SELECT current_setting('app.tenant')"))
                    .isEqualTo("x");
            connection.commit();
        }
    }

    @Test
    void aResultThatIsUpdatedWritesToItsShard() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            for (int shard : new int[] {1, 2}) {
                try (ShardContext.Scope scope = ShardContext.open(shard);
                        Statement statement =
                                connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE);
                        ResultSet rows = statement.executeQuery(ROWS)) {
                    rows.next();
                    rows.updateString(2, "changed");
                    assertThatThrownBy(rows::updateRow)
                            .isInstanceOf(SecondWriteShardException.class)
                            .hasMessageContainingAll("shard 0", "shard " + shard, "updateRow");
                    assertThatThrownBy(rows::deleteRow).isInstanceOf(SecondWriteShardException.class);
                    rows.moveToInsertRow();
                    rows.updateLong(1, 9);
                    assertThatThrownBy(rows::insertRow).isInstanceOf(SecondWriteShardException.class);
                }
            }
            connection.commit();
        }
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(1);
                Statement statement =
                        connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT id, caption FROM photo")) {
            rows.next();
            assertThat(read(connection, 0, "SELECT caption FROM photo")).isEqualTo("of shard 0");
            rows.updateString(2, "changed");
            rows.updateRow();
            assertThatThrownBy(() -> insert(connection, 0, 6)).isInstanceOf(SecondWriteShardException.class);
            connection.commit();
        }
        assertThat(databases.pg1.queryLong("SELECT count(*) FROM shard_0001.photo WHERE caption = 'changed'"))
                .isEqualTo(1);
        assertThat(databases.pg1.queryLong("SELECT count(*) FROM shard_0000.photo WHERE caption = 'changed'"))
                .isZero();
    }

    @Test
    void aLargeObjectThatIsChangedIsAWriteOfItsShard() throws SQLException {
        databases.pg2.execute("SELECT lo_from_bytea(4711, 'abc')");
        try (Connection connection = databases.transaction()) {
            try (ShardContext.Scope scope = ShardContext.open(2);
                    PreparedStatement statement = connection.prepareStatement("SELECT 4711::oid");
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                java.sql.Blob blob = rows.getBlob(1);
                assertThat(blob.length()).isEqualTo(3);
                insert(connection, 0, 5);
                assertThatThrownBy(() -> blob.truncate(0)).isInstanceOf(SecondWriteShardException.class);
                assertThatThrownBy(() -> blob.setBytes(1, new byte[] {1}))
                        .isInstanceOf(SecondWriteShardException.class);
            }
            connection.commit();
        }
        assertThat(databases.pg2.queryLong("SELECT length(lo_get(4711))")).isEqualTo(3);
    }

    @Test
    void theDriversConnectionIsAWriterOfItsShardAndOfNoOther() throws SQLException {
        try (Connection connection = databases.transaction()) {
            insert(connection, 0, 5);
            for (int shard : new int[] {1, 2}) {
                try (ShardContext.Scope scope = ShardContext.open(shard)) {
                    assertThatThrownBy(() -> connection.unwrap(PGConnection.class))
                            .isInstanceOf(SecondWriteShardException.class)
                            .hasMessageContaining("unwrap to org.postgresql.PGConnection");
                }
            }
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                assertThat(connection.unwrap(PGConnection.class)).isNotNull();
            }
        }
        try (Connection connection = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            PgConnection driver = connection.unwrap(PgConnection.class);
            try (ShardContext.Scope other = ShardContext.open(1)) {
                assertThatThrownBy(() -> connection.unwrap(PGConnection.class))
                        .hasMessageContainingAll("unwrapped for shard 0", "shard 1");
            }
            assertThatThrownBy(() -> read(connection, 1, "SELECT caption FROM photo"))
                    .hasMessageContainingAll("unwrapped for shard 0", "shard 1");
            assertThatThrownBy(() -> read(connection, 1, ROWS))
                    .hasMessageContainingAll("unwrapped for shard 0", "shard 1");
            assertThat(read(connection, 0, ROWS)).isEqualTo("1");
            // That was not to run without the path of shard 0, which is asked for again.
            assertThat(connection.unwrap(PgConnection.class)).isSameAs(driver);
            try (Statement statement = driver.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT caption FROM photo WHERE id = 1")) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo("of shard 0");
            }
        }
    }

    @Test
    void theDriversConnectionTakesPartInALaterTransaction() throws SQLException {
        try (Connection connection = databases.routed.getConnection()) {
            PgConnection driver = unwrapped(connection, 0);
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> insert(connection, 2, 5))
                    .hasMessageContainingAll("unwrapped for shard 0", "shard 2");
            try (Statement statement = driver.createStatement()) {
                statement.execute("INSERT INTO photo VALUES (77, 'over the driver')");
            }
            connection.rollback();
        }
        assertThat(databases.pg1.queryLong("SELECT count(*) FROM shard_0000.photo WHERE id = 77"))
                .isZero();
        try (Connection connection = databases.routed.getConnection()) {
            unwrapped(connection, 0);
            assertThatThrownBy(() -> unwrapped(connection, 2)).hasMessageContainingAll("shard 0", "shard 2");
        }
    }

    private static PgConnection unwrapped(Connection connection, int shard) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard)) {
            return connection.unwrap(PgConnection.class);
        }
    }

    @Test
    void nothingElseLeadsToTheDriversConnection() throws SQLException {
        try (Connection connection = databases.transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement statement =
                        connection.prepareStatement("SELECT array_agg(id), 'x' FROM sharded_id_shard.photo");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            assertThat(statement.isWrapperFor(PGStatement.class)).isFalse();
            for (Class<?> type :
                    List.of(PGStatement.class, BaseStatement.class, org.postgresql.jdbc.PgStatement.class)) {
                assertThatThrownBy(() -> statement.unwrap(type)).hasMessageContaining("unwrap(PGConnection.class)");
            }
            assertThatThrownBy(() -> rows.unwrap(org.postgresql.jdbc.PgResultSet.class))
                    .hasMessageContaining("unwrap(PGConnection.class)");
            assertThatThrownBy(() -> connection.getMetaData().unwrap(org.postgresql.jdbc.PgDatabaseMetaData.class))
                    .hasMessageContaining("unwrap(PGConnection.class)");
            try (ResultSet elements = rows.getArray(1).getResultSet()) {
                assertThat(elements.next()).isTrue();
                assertThat(elements.getStatement()).isSameAs(statement);
                assertThat(elements.getStatement().getConnection()).isSameAs(connection);
            }
        }
    }

    @Test
    void theLevelThatAPoolOrARoleGivesIsKnownOfEachSession() throws SQLException {
        databases.warmUp();
        databases.pg1.execute(
                "ALTER DATABASE " + databases.pg1.name() + " SET default_transaction_isolation = 'repeatable read'");
        databases.pool1.getHikariPoolMXBean().softEvictConnections();
        try (Connection connection = databases.transaction()) {
            assertThat(read(connection, 0, "SELECT count(*) FROM sharded_id_shard.photo"))
                    .isEqualTo("1");
            databases.pg1.execute("INSERT INTO shard_0000.photo VALUES (50, 'later')");
            assertThat(read(connection, 0, "SELECT count(*) FROM sharded_id_shard.photo"))
                    .isEqualTo("1");
            try (ShardContext.Scope scope = ShardContext.open(ShardSet.all())) {
                assertThatThrownBy(() -> connection
                                .prepareStatement("SELECT count(*) FROM sharded_id_shard.photo")
                                .executeQuery())
                        .isInstanceOf(UnsupportedStatementException.class)
                        .hasMessageContainingAll("REPEATABLE READ", "database pg1");
            }
        }
    }

    @Test
    void aSavepointDoesNotForgetWhatTheDriversConnectionMayHaveWritten() throws SQLException {
        try (Connection connection = databases.transaction()) {
            Savepoint savepoint = connection.setSavepoint();
            try (ShardContext.Scope scope = ShardContext.open(0)) {
                connection.unwrap(PgConnection.class).execSQLUpdate("INSERT INTO photo VALUES (8, 'x')");
            }
            assertThatThrownBy(() -> insert(connection, 2, 8)).isInstanceOf(SecondWriteShardException.class);
            connection.rollback(savepoint);
            assertThatThrownBy(() -> insert(connection, 2, 8)).hasMessageContaining("unwrapped for shard 0");
            connection.rollback();
            insert(connection, 2, 8);
            connection.commit();
        }
        assertThat(databases.count(0)).isEqualTo(1);
        assertThat(databases.count(2)).isEqualTo(2);
    }
}
