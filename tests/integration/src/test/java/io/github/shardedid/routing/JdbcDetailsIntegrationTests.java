package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.OwnThread;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Details of JDBC, beside the driver's own connection to one database with the shard's schema in its search path. */
class JdbcDetailsIntegrationTests {
    private TwoDatabases databases;

    @BeforeEach
    void create() {
        databases = new TwoDatabases();
        databases.pg1.execute("CREATE TABLE shard_0000.comment (id bigint PRIMARY KEY, photo_id bigint REFERENCES"
                + " shard_0000.photo)");
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    private interface Work {
        @Nullable
        Object on(Connection connection) throws Exception;
    }

    private Connection plain() throws SQLException {
        Connection plain = databases.pg1.connect();
        plain.setSchema("shard_0000");
        return plain;
    }

    private static Object outcome(Connection connection, Work work) {
        try {
            return String.valueOf(work.on(connection));
        } catch (SQLException e) {
            return "SQLState " + e.getSQLState();
        } catch (Exception e) {
            return e.getClass().getName();
        }
    }

    private void assertSame(Map<String, Work> works) throws SQLException {
        for (Map.Entry<String, Work> each : works.entrySet()) {
            Object expected;
            try (Connection plain = plain()) {
                expected = outcome(plain, each.getValue());
            }
            try (Connection routed = databases.routed.getConnection();
                    ShardContext.Scope scope = ShardContext.open(0)) {
                assertThat(outcome(routed, each.getValue())).as(each.getKey()).isEqualTo(expected);
            }
            assertThat(databases.taken()).as(each.getKey()).isZero();
        }
    }

    @Test
    void argumentsAreRefusedAsByTheDriver() throws SQLException {
        Map<String, Work> works = new LinkedHashMap<>();
        for (int type : new int[] {-1, 0, ResultSet.TYPE_FORWARD_ONLY, ResultSet.TYPE_SCROLL_SENSITIVE, 1006}) {
            works.put("type " + type, c -> c.createStatement(type, ResultSet.CONCUR_READ_ONLY)
                    .getResultSetType());
            works.put("concurrency " + type, c -> c.createStatement(ResultSet.TYPE_FORWARD_ONLY, type)
                    .getResultSetConcurrency());
            works.put("all " + type, c -> c.createStatement(type, type, type).getResultSetHoldability());
            works.put("prepared " + type, c -> c.prepareStatement("SELECT 1", type, type)
                    .getResultSetType());
            works.put("holdability " + type, c -> {
                c.setHoldability(type);
                return c.getHoldability();
            });
        }
        for (int value : new int[] {-1, 0, 7, ResultSet.FETCH_REVERSE}) {
            works.put("fetch size " + value, c -> {
                Statement statement = c.createStatement();
                statement.setFetchSize(value);
                return statement.getFetchSize();
            });
            works.put("direction " + value, c -> {
                Statement statement = c.createStatement();
                statement.setFetchDirection(value);
                return statement.getFetchDirection();
            });
            works.put("rows, timeout, field size " + value, c -> {
                Statement statement = c.createStatement();
                statement.setMaxRows(value);
                statement.setQueryTimeout(value);
                statement.setMaxFieldSize(value);
                return statement.getMaxRows() + statement.getQueryTimeout() + statement.getMaxFieldSize();
            });
        }
        works.put("large rows", c -> {
            c.createStatement().setLargeMaxRows(1);
            return null;
        });
        works.put("large count", c -> c.createStatement().getLargeUpdateCount());
        works.put("abort", c -> {
            c.abort(null);
            return null;
        });
        works.put("type of an array", c -> c.createArrayOf("", new Object[0]));
        works.put("type of a struct", c -> c.createStruct(null, new Object[0]));
        works.put("name of a savepoint", c -> {
            c.setAutoCommit(false);
            return c.setSavepoint("");
        });
        assertSame(works);
    }

    @Test
    void whatIsClosedIsRefused() throws SQLException {
        Map<String, Work> works = new LinkedHashMap<>();
        works.put("statement", c -> {
            Statement statement = c.createStatement();
            statement.close();
            return statement.executeQuery("SELECT 1");
        });
        works.put("statement of a closed connection", c -> {
            Statement statement = c.createStatement();
            c.close();
            return statement.executeQuery("SELECT 1");
        });
        works.put("its keys", c -> {
            Statement statement = c.createStatement();
            c.close();
            return statement.executeUpdate("DELETE FROM comment", Statement.RETURN_GENERATED_KEYS);
        });
        works.put("statement of a result", c -> {
            ResultSet rows = c.createStatement().executeQuery("SELECT 1");
            rows.close();
            return rows.getStatement();
        });
        works.put("client info", c -> {
            c.close();
            return c.getClientInfo();
        });
        works.put("version of the driver", c -> {
            DatabaseMetaData data = c.getMetaData();
            c.close();
            return data.getDriverMajorVersion() + "." + data.getDriverMinorVersion();
        });
        works.put("empty batch", c -> {
            Statement statement = c.createStatement();
            ResultSet rows = statement.executeQuery("SELECT 1");
            return statement.executeBatch().length + " " + rows.isClosed();
        });
        assertSame(works);
    }

    @Test
    void escapesOfJdbcAreInNativeSql() throws SQLException {
        Map<String, Work> works = new LinkedHashMap<>();
        for (String sql : List.of(
                "SELECT {d '2024-02-29'}, {t '10:00:00'}, {ts '2024-02-29 10:00:00'}",
                "SELECT upper('a'), '{d x}' FROM photo WHERE id = ? AND caption LIKE 'a|%' {escape '|'}",
                "SELECT 1; UPDATE photo SET caption = ?",
                "")) {
            works.put(sql, c -> c.nativeSQL(sql));
        }
        assertSame(works);
        try (Connection connection = databases.routed.getConnection()) {
            assertThat(connection.nativeSQL("SELECT ? FROM {d '2024-02-29'}"))
                    .isEqualTo("SELECT $1 FROM DATE '2024-02-29'");
            try (ShardContext.Scope scope = ShardContext.open(3)) {
                assertThat(connection.nativeSQL("SELECT {d '2024-02-29'} FROM sharded_id_shard.photo"))
                        .isEqualTo("SELECT DATE '2024-02-29' FROM shard_0003.photo");
            }
        }
    }

    /** No schema is the current one; an empty one is that of what has none. */
    @Test
    void metadataOfTablesIsThatOfTheSchema() throws SQLException {
        Map<String, Work> works = new LinkedHashMap<>();
        for (String schema : List.of("", "shard_0000", "shard_0001", "shard\\_0000", "%")) {
            works.put("imported " + schema, c -> rows(c.getMetaData().getImportedKeys(null, schema, "comment")));
            works.put("exported " + schema, c -> rows(c.getMetaData().getExportedKeys(null, schema, "photo")));
            works.put(
                    "cross " + schema,
                    c -> rows(c.getMetaData().getCrossReference(null, schema, "photo", null, schema, "comment")));
            works.put("primary " + schema, c -> rows(c.getMetaData().getPrimaryKeys(null, schema, "comment")));
            works.put("tables " + schema, c -> rows(c.getMetaData().getTables(null, schema, "com%", null)));
            works.put(
                    "indexes " + schema,
                    c -> rows(c.getMetaData().getIndexInfo(null, schema, "comment", false, false)));
            works.put("columns " + schema, c -> rows(c.getMetaData().getColumns(null, schema, "comment", "%")));
        }
        assertSame(works);
    }

    private static List<String> rows(ResultSet rows) throws SQLException {
        List<String> all = new ArrayList<>();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 2; i <= Math.min(6, rows.getMetaData().getColumnCount()); i++) {
                row.append(rows.getString(i)).append('|');
            }
            all.add(row.toString());
        }
        rows.close();
        return all;
    }

    @Test
    void aStatementIsClosedByTheEndOfItsLastResult() throws SQLException {
        Map<String, Work> works = new LinkedHashMap<>();
        for (String sql : List.of("SELECT 1; SELECT 2", "SELECT 1", "SELECT 1; UPDATE comment SET id = id; SELECT 2")) {
            for (boolean prepared : new boolean[] {true, false}) {
                works.put(sql + prepared, c -> {
                    Statement statement = prepared ? c.prepareStatement(sql) : c.createStatement();
                    statement.closeOnCompletion();
                    boolean rows = statement instanceof PreparedStatement p ? p.execute() : statement.execute(sql);
                    List<Object> closed = new ArrayList<>();
                    for (int i = 0; i < 4 && !statement.isClosed(); i++) {
                        ResultSet result = rows ? statement.getResultSet() : null;
                        rows = statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
                        if (result != null) {
                            result.close();
                        }
                        closed.add(statement.isClosed() + " " + rows);
                    }
                    return closed;
                });
            }
        }
        works.put("keys", c -> {
            Statement statement = c.createStatement();
            statement.closeOnCompletion();
            statement.executeUpdate("INSERT INTO comment VALUES (8, NULL) ON CONFLICT DO NOTHING", 1);
            statement.getGeneratedKeys().close();
            return statement.isClosed();
        });
        assertSame(works);
    }

    /** Its execution ends as one that is cancelled, and only then goes the connection back. */
    @Test
    void anotherThreadMayCloseAStatement() throws Exception {
        for (boolean prepared : new boolean[] {true, false}) {
            List<Object> outcomes = new ArrayList<>();
            for (boolean routed : new boolean[] {false, true}) {
                try (Connection connection = routed ? databases.routed.getConnection() : plain();
                        ShardContext.Scope scope = ShardContext.open(0)) {
                    String sql = "SELECT pg_sleep(100) /* " + prepared + routed + " */";
                    Statement statement = prepared ? connection.prepareStatement(sql) : connection.createStatement();
                    CompletableFuture<Object> closed = OwnThread.supply(() -> {
                        Awaitility.await()
                                .until(() -> databases.pg1.queryLong("SELECT count(*) FROM pg_stat_activity WHERE"
                                                + " state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%"
                                                + sql
                                                + "%'")
                                        == 1);
                        return outcome(connection, c -> {
                            statement.close();
                            return statement.isClosed();
                        });
                    });
                    outcomes.add(outcome(
                            connection,
                            c -> statement instanceof PreparedStatement p
                                    ? p.executeQuery()
                                    : statement.executeQuery(sql)));
                    outcomes.add(closed.get(1, TimeUnit.MINUTES));
                    assertThat(databases.taken()).isZero();
                    try (Statement next = connection.createStatement();
                            ResultSet row = next.executeQuery("SELECT count(*) FROM comment")) {
                        assertThat(row.next()).isTrue();
                    }
                }
            }
            assertThat(outcomes.subList(2, 4)).isEqualTo(outcomes.subList(0, 2));
        }
    }
}
