package io.github.shardedid.routing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardSchema;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shards spread over two databases, every other one, with a table of photos each, and the same rows in one plain table.
 * The places differ in how the nulls, the signs and the cases of the values fall.
 */
final class ManyShards implements AutoCloseable {
    private static final List<String> COLUMNS = List.of(
            "id bigint PRIMARY KEY",
            "views integer",
            "score numeric",
            "ratio float8",
            "at timestamptz",
            "made timestamp",
            "day date",
            "token uuid",
            "flag boolean",
            "caption text",
            "raw bytea");

    private static final List<String> COMMENTS =
            List.of("id bigint PRIMARY KEY", "photo_id bigint", "stars integer", "words text");

    /** For values in binary from the second execution of a statement on. */
    static final String BINARY = "&prepareThreshold=1";

    final int shards;
    private final boolean twice;
    final List<TestDatabase> databases;
    final List<WireTap> taps;
    final List<HikariDataSource> pools;
    final RoutingDataSource routed;

    ManyShards(int shards, ScatterOptions options) {
        this(shards, options, "template1");
    }

    /** With databases made of a template, behind which further options of CREATE DATABASE may follow. */
    ManyShards(int shards, ScatterOptions options, String template) {
        this(shards, options, template, List.of("", ""));
    }

    /** With parameters of the driver's URL for each database: with {@link #BINARY}, each query is executed twice. */
    ManyShards(int shards, ScatterOptions options, String template, List<String> drivers) {
        PostgresServer first = PostgresServers.shared(1);
        PostgresServer second = PostgresServers.shared(2);
        this.shards = shards;
        twice = drivers.contains(BINARY);
        databases = List.of(first.newDatabase(template), second.newDatabase(template));
        taps = List.of(new WireTap(first.port()), new WireTap(second.port()));
        pools = List.of(pool(0, drivers.get(0)), pool(1, drivers.get(1)));
        for (int database = 0; database < 2; database++) {
            StringBuilder sql = new StringBuilder();
            for (int shard = database; shard < shards; shard += 2) {
                String schema = ShardSchema.nameOf(shard);
                sql.append(tables(schema, shard));
            }
            databases.get(database).execute(sql.toString());
        }
        databases.get(0).execute(tables("plain", 0));
        Cluster cluster = new Cluster(layout(shards), CurrentShardMap.fixed(map(shards)));
        RoutingOptions usual = RoutingOptions.DEFAULT;
        routed = new RoutingDataSource(
                cluster,
                Map.of("pg1", pools.get(0), "pg2", pools.get(1)),
                new RoutingOptions(
                        true,
                        Map.of(),
                        options,
                        Map.of(),
                        null,
                        usual.fenceWait(),
                        usual.mapAge(),
                        usual.listener(),
                        usual.commonSchemas()));
        routed.declareColocated(Map.of("photo", Set.of("id"), "comment", Set.of("id", "photo_id")));
    }

    /** Of which small ids are of all shards: the bits above the lowest one are the shard. */
    private static IdLayout layout(int shards) {
        int shardBits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(shards - 1));
        return new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.MILLISECONDS, 63 - shardBits, shardBits, 1, 0);
    }

    /** Every other shard has the columns in another order, as after scripts that ran in another one. */
    private static String tables(String schema, int shard) {
        return "CREATE SCHEMA " + schema + "; CREATE TABLE " + schema + ".photo (" + ordered(COLUMNS, shard)
                + "); CREATE TABLE " + schema + ".comment (" + ordered(COMMENTS, shard) + ");";
    }

    private static String ordered(List<String> columns, int shard) {
        List<String> ordered = new ArrayList<>(columns);
        Collections.rotate(ordered, shard % 4 < 2 ? 0 : shard);
        return String.join(", ", ordered);
    }

    private static String names(List<String> columns) {
        return columns.stream()
                .map(column -> column.substring(0, column.indexOf(' ')))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    static ShardMap map(int shards) {
        return new ShardMap(
                shards,
                IntStream.range(0, shards)
                        .mapToObj(shard -> new ShardOwnership(shard, shard % 2 == 0 ? "pg1" : "pg2", 1))
                        .toList(),
                Map.of());
    }

    private HikariDataSource pool(int database, String driver) {
        HikariConfig config = new HikariConfig();
        PostgresServer server = databases.get(database).server();
        config.setJdbcUrl(taps.get(database).url(databases.get(database).name()) + "&currentSchema=no_shard" + driver);
        config.setUsername(server.username());
        config.setPassword(server.password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(TwoDatabases.PATIENCE.toMillis());
        return TestPools.behind(taps.get(database), config);
    }

    /** After a cut: until the database can be asked again. */
    void restore(int database) {
        taps.get(database).restore();
        TestPools.awaitConnection(pools.get(database));
    }

    /** Fills shards and the plain table with the same random rows, in the shards of their ids; some shards stay empty. */
    void fill(Random random, int rows) {
        List<StringBuilder> sql = List.of(new StringBuilder(), new StringBuilder());
        for (int i = 0; i < rows; i++) {
            int shard = routed.cluster().layout().shardOf(i + 1L);
            String row = row(random, i + 1);
            if (shard < shards && shard % 7 != 6) {
                insert(sql, shard, "photo", row);
                for (int j = random.nextInt(3); j > 0; j--) {
                    String photo = value(random, Integer.toString(i + 1));
                    insert(sql, shard, "comment", comment(random, 3 * i + j, photo));
                }
            }
        }
        databases.get(0).execute(sql.get(0).toString());
        databases.get(1).execute(sql.get(1).toString());
    }

    private static void insert(List<StringBuilder> sql, int shard, String table, String row) {
        String values = "." + table + names(table.equals("photo") ? COLUMNS : COMMENTS) + " VALUES (" + row + ");";
        sql.get(shard % 2)
                .append("INSERT INTO ")
                .append(ShardSchema.nameOf(shard))
                .append(values);
        sql.get(0).append("INSERT INTO plain").append(values);
    }

    private static String comment(Random random, int id, String photo) {
        return id + ", " + photo + ", " + value(random, random.nextInt(6) - 2 + "") + ", "
                + value(random, pick(random, "'a'", "'B'", "'b'"));
    }

    private static String row(Random random, int id) {
        return String.join(
                ", ",
                List.of(
                        Integer.toString(id),
                        value(random, random.nextInt(9) - 4 + ""),
                        value(
                                random,
                                pick(
                                        random,
                                        "0.10",
                                        "0.1",
                                        "-3",
                                        "12345678901234567890.5",
                                        "'NaN'",
                                        "'Infinity'",
                                        "7")),
                        value(random, pick(random, "'-0'", "0", "1e300", "'NaN'", "'-Infinity'", "0.25")),
                        value(
                                random,
                                "'2024-01-0" + (1 + random.nextInt(3)) + "T00:00:00.00000" + random.nextInt(10) + "+0"
                                        + random.nextInt(5) + "'"),
                        value(random, pick(random, "'2024-02-01 00:00'", "'infinity'", "'1999-01-01 10:00:00.5'")),
                        value(random, pick(random, "'2024-02-01'", "'1969-12-31'", "'-infinity'")),
                        value(
                                random,
                                "'" + Integer.toHexString(random.nextInt(16)) + "0000000-0000-0000-0000-000000000001'"),
                        value(random, random.nextBoolean() + ""),
                        value(
                                random,
                                pick(
                                        random,
                                        "'a'",
                                        "'B'",
                                        "'ä'",
                                        "'\uD83D\uDE00'",
                                        "'\uFFFD'",
                                        "'a '",
                                        "''",
                                        "'A'",
                                        "'b'",
                                        "'Ä'",
                                        "'az'",
                                        "'é'",
                                        "'E'")),
                        value(random, pick(random, "'\\xff'", "'\\x00'", "'\\x7f80'"))));
    }

    private static String value(Random random, String value) {
        return random.nextInt(6) == 0 ? "NULL" : value;
    }

    private static String pick(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }

    /** The rows of a query in all shards, each as text. */
    List<String> all(String sql, Object... parameters) throws SQLException {
        return in(ShardSet.all(), sql, parameters);
    }

    List<String> in(ShardSet set, String sql, Object... parameters) throws SQLException {
        try (Connection connection = routed.getConnection()) {
            if (twice) {
                query(connection, set, sql, parameters);
            }
            return query(connection, set, sql, parameters);
        }
    }

    /** The labels of a query's columns in all shards. */
    List<String> labels(String sql, Object... parameters) throws SQLException {
        try (Connection connection = routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(ShardSet.all());
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return labels(statement, parameters);
        }
    }

    /** The labels of a query's columns in the plain table. */
    List<String> plainLabels(String sql, Object... parameters) throws SQLException {
        try (Connection connection = databases.get(0).connect();
                PreparedStatement statement = connection.prepareStatement(ofPlain(sql))) {
            return labels(statement, parameters);
        }
    }

    private static List<String> labels(PreparedStatement statement, Object... parameters) throws SQLException {
        set(statement, parameters);
        List<String> labels = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                labels.add(result.getMetaData().getColumnLabel(i));
            }
        }
        return labels;
    }

    static List<String> query(Connection connection, ShardSet set, String sql, Object... parameters)
            throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(set);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return rows(statement, parameters);
        }
    }

    /** The same rows of the plain table, read past the project. */
    List<String> plain(String sql, Object... parameters) throws SQLException {
        try (Connection connection = databases.get(0).connect();
                PreparedStatement statement = connection.prepareStatement(ofPlain(sql))) {
            return rows(statement, parameters);
        }
    }

    private static String ofPlain(String sql) {
        return sql.replace(RoutingDataSource.SCHEMA_PLACEHOLDER + ".", "plain.");
    }

    private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }

    private static List<String> rows(PreparedStatement statement, Object... parameters) throws SQLException {
        set(statement, parameters);
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.append(text(result, i)).append('|');
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    /** The driver's own text depends on whether the value came as text or in binary, as it does after some executions. */
    private static @Nullable String text(ResultSet result, int column) throws SQLException {
        int type = result.getMetaData().getColumnType(column);
        if (type == Types.BINARY) {
            byte[] bytes = result.getBytes(column);
            return bytes == null ? null : HexFormat.of().formatHex(bytes);
        }
        Object value = type == Types.DOUBLE || type == Types.REAL ? result.getObject(column) : result.getString(column);
        if (type == Types.NUMERIC && value != null && value.toString().contains("E")) {
            return new BigDecimal(value.toString()).toPlainString();
        }
        return value == null ? null : value.toString();
    }

    /** How many physical connections are taken from the pools now. */
    int taken() {
        return pools.stream()
                .mapToInt(pool -> pool.getHikariPoolMXBean() == null
                        ? 0
                        : pool.getHikariPoolMXBean().getActiveConnections())
                .sum();
    }

    /** What was sent to the databases since the last reset. */
    List<String> sent() {
        return taps.stream().flatMap(tap -> tap.frontendMessages().stream()).toList();
    }

    /** How many round trips there were since the last reset. */
    long turns() {
        return taps.stream().mapToLong(WireTap::turns).sum();
    }

    void resetTaps() {
        taps.forEach(WireTap::reset);
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        taps.forEach(WireTap::close);
        databases.forEach(TestDatabase::drop);
    }
}
