package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.KeyRows.ReferringRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.hibernate.KeyRows.TableRows;
import io.github.shardedid.hibernate.internal.unique.SqlClaims;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.ShardSchema;
import java.io.BufferedReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts, exports, erases and restores the rows that live with a root row, over a connection in the scope of its shard. Used by one thread.
 *
 * <p>Erasing proceeds in this order:
 *
 * <ol>
 *   <li>Rows that live elsewhere and have the id of one of these are looked for: by the references, and by value in all columns of which
 *       it is not known what they refer to. If there are any, nothing is deleted, but for audit tables and event publications.
 *   <li>The tables are emptied of these rows, children first, in batches that are a transaction each. A batch finds its rows from the
 *       root's id, so that it is repeated if its connection is lost, and another run continues where one was interrupted: the root, and each
 *       parent, is deleted after its children.
 *   <li>Rows that refer to each other in a circle, and so are left, are deleted in one statement.
 *   <li>The rows, and those that have the root's id, are counted again. If the application has stored further ones meanwhile, all of this is
 *       repeated twice.
 * </ol>
 *
 * <p>Claims of values that are unique over all shards are removed after the batch of their rows. If this is interrupted in between, they are
 * orphans, which harm nobody.
 *
 * <p>Restoring copies the lines to a temporary table, from which one statement inserts them all: foreign keys are checked at its end. Then the rows
 * claim their unique values.
 */
public final class RootRows {
    private static final String STATEMENTS = RoutingControl.fileOf(RootRows.class, "statements.sql");

    /** Rows that the driver has at a time. */
    private static final int FETCHED = 500;

    private static final String CLAIMS = "sharded_id_claim (id), claims of unique values without a row, in any shard";
    /** Rows of a table that the application may store while they are deleted. */
    private static final int LATER = 100;

    /**
     * For a transaction: texts are the same in each database, and no statement is compiled, which PostgreSQL would do because of the estimated costs,
     * and which takes seconds for each.
     */
    private static final String SETTINGS =
            "SELECT set_config('TimeZone', 'UTC', true), set_config('IntervalStyle', 'postgres', true),"
                    + " set_config('DateStyle', 'ISO', true), set_config('lc_monetary', 'C', true), set_config('jit', 'off', true)";

    private static final String UNHASHED = "SELECT set_config('enable_hashagg', 'off', true)";

    private static final int PASSES = 3;
    private static final int ATTEMPTS = 3;

    private final Connection connection;
    private final Root root;
    private final SqlClaims claims;
    private final List<RowStatement> statements;

    /**
     * A root row.
     *
     * @param entity the entity's name
     * @param id its id as a text
     */
    public record Root(String entity, String id, int shard, String database) {
        @Override
        public String toString() {
            return entity + " " + id + " in shard " + shard + " on database " + database;
        }
    }

    /** A row of {@code statements.sql}, where the kinds are described. */
    private record RowStatement(String kind, String name, String sql, boolean obstacle) {}

    /** Reads the catalog of the shard. */
    public RootRows(Connection connection, Root root, RowReferences references, SqlClaims claims) throws SQLException {
        this.connection = connection;
        this.root = root;
        this.claims = claims;
        String table = references.root(root.entity());
        require(references.obstacle(table + " "), table);
        require(references.obstacle(root.entity()), table);
        statements = transaction(() -> read(table, references.json()));
        of("obstacle").forEach(each -> require(each.name, table));
        of("count").forEach(each -> require(references.obstacle(each.name), each.name));
    }

    private List<RowStatement> read(String table, String references) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(STATEMENTS)) {
            query.setString(1, ShardSchema.nameOf(root.shard()));
            query.setString(2, RoutingDataSource.SCHEMA_PLACEHOLDER);
            query.setString(3, table);
            query.setString(4, references);
            List<RowStatement> read = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    read.add(new RowStatement(row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4)));
                }
            }
            return read;
        }
    }

    private void require(@Nullable String obstacle, String table) {
        if (obstacle != null) {
            throw new RowsRefusedException(
                    "It is not known which rows live with " + root + ", because of table " + table + ": " + obstacle
                            + ". Nothing was done. Handle the rows of this entity in the application.");
        }
    }

    private List<RowStatement> of(String kind) {
        return statements.stream().filter(each -> each.kind.equals(kind)).toList();
    }

    private RowStatement one(String kind) {
        return of(kind).get(0);
    }

    /** Counts the rows of each table, parents first, and those that would prevent that they are erased. Fails if there is none. */
    public Report count() throws SQLException {
        Map<String, Long> rows = transaction(this::existing);
        return report(rows, rows, referring());
    }

    private Map<String, Long> existing() throws SQLException {
        Map<String, Long> rows = counts();
        if (sum(rows) == 0) {
            throw new RowsRefusedException(
                    root + " does not exist, and no row lives with it. Nothing was done. Check the entity and the id.");
        }
        return rows;
    }

    private Map<String, Long> counts() throws SQLException {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (RowStatement each : of("count")) {
            rows.put(each.name, number(each.sql));
        }
        return rows;
    }

    private static long sum(Map<String, Long> rows) {
        return rows.values().stream().mapToLong(each -> each).sum();
    }

    private Report report(Map<String, Long> rows, Map<String, Long> left, Map<String, ReferringRows> referring) {
        List<TableRows> tables = rows.entrySet().stream()
                .map(each -> new TableRows(each.getKey(), each.getValue(), left.getOrDefault(each.getKey(), 0L)))
                .toList();
        return new Report(
                root.entity(), root.id(), root.shard(), root.database(), tables, List.copyOf(referring.values()));
    }

    /** Counts the rows of the shard that live elsewhere and have an id of these. */
    private Map<String, ReferringRows> referring() throws SQLException {
        Map<String, ReferringRows> found = new LinkedHashMap<>();
        for (RowStatement each : of("refers")) {
            add(found, each, repeated(() -> transaction(() -> unhashed(each.sql))));
        }
        return found;
    }

    private static void add(Map<String, ReferringRows> found, RowStatement statement, long rows) {
        if (rows > 0) {
            found.put(statement.name, new ReferringRows(statement.name, rows, statement.obstacle));
        }
    }

    /** Writes the rows as lines of JSON, parents first, from one snapshot. */
    public Report export(String header, Appendable out) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return transaction(() -> {
            requireNoLargeObjects("exported");
            Map<String, Long> rows = existing();
            RowLines.write(header, out);
            for (RowStatement each : of("export")) {
                try (PreparedStatement statement = prepare(each.sql)) {
                    statement.setFetchSize(FETCHED);
                    try (ResultSet row = statement.executeQuery()) {
                        while (row.next()) {
                            RowLines.write(row.getString(1), out);
                        }
                    }
                }
            }
            RowLines.write(RowLines.last(sum(rows)), out);
            return report(rows, rows, Map.of());
        });
    }

    private boolean requireNoLargeObjects(String done) throws SQLException {
        for (RowStatement each : of("oid")) {
            long rows = number(each.sql);
            if (rows > 0) {
                throw new RowsRefusedException(
                        rows + " rows of table " + each.name + " of " + root
                                + " refer to large objects, whose content is not in the rows. Nothing was " + done
                                + ". Store it in columns of type bytea or text, or delete it with lo_unlink, and set the column to null.");
            }
        }
        return true;
    }

    /** Deletes the rows. */
    public Report erase() throws SQLException {
        Map<String, Long> rows = transaction(this::existing);
        transaction(() -> requireNoLargeObjects("deleted"));
        Map<String, ReferringRows> referring = referring();
        requireNone(
                referring,
                "Nothing was deleted. Delete or change them first; if they live with it, put @ShardKey on that"
                        + " association, or declare a foreign key with ON DELETE CASCADE.",
                null);
        Map<String, Long> left = rows;
        SQLException stored = null;
        for (int pass = 0; pass < PASSES && sum(left) > 0; pass++) {
            try {
                deleteAll(left);
            } catch (SQLException e) {
                if (!"23503".equals(e.getSQLState())) {
                    throw e;
                }
                stored = e; // A row that was stored after its table had been emptied.
            }
            left = transaction(this::counts);
        }
        Map<String, ReferringRows> after = referring();
        left.forEach((table, number) -> add(after, new RowStatement("", table, "", true), number));
        requireNone(after, "The application has stored them meanwhile. Lock the account, and erase it again.", stored);
        for (RowStatement each : of("dangling")) {
            add(after, each, transaction(() -> number(each.sql)));
        }
        add(after, new RowStatement("", CLAIMS, "", false), claims.left());
        after.forEach(referring::putIfAbsent);
        return report(rows, left, referring);
    }

    private void requireNone(Map<String, ReferringRows> referring, String remedy, @Nullable SQLException cause) {
        List<String> found = referring.values().stream()
                .filter(ReferringRows::obstacle)
                .map(each -> each.rows() + " rows of " + each.columns())
                .toList();
        if (!found.isEmpty()) {
            throw new RowsRefusedException(
                    root + " is not erased: rows refer to it or to its rows: " + String.join("; ", found) + ". "
                            + remedy,
                    cause);
        }
    }

    /** Deletes batches. A table from which twice its rows were deleted has a trigger, perhaps, that stores them again. */
    private void deleteAll(Map<String, Long> before) throws SQLException {
        for (RowStatement each : of("delete")) {
            List<UniqueKey> keys = claims.of(each.name);
            long most = 2 * before.getOrDefault(each.name, 0L) + LATER;
            int deleted = 1;
            while (deleted > 0 && most > 0) {
                deleted = keys.isEmpty() ? update(each.sql) : release(each.sql, keys);
                most -= deleted;
            }
        }
        Map<String, Long> left = transaction(this::counts);
        if (sum(left) > 0) {
            left.forEach((table, rows) -> claims.leave(rows * claims.of(table).size()));
            update(one("circle").sql);
        }
    }

    /** Deletes a batch of rows and, since another row could take their values before, their claims after it. */
    private int release(String delete, List<UniqueKey> keys) throws SQLException {
        int count = repeated(() -> transaction(() -> {
            try (PreparedStatement statement = prepare(delete + " RETURNING " + SqlClaims.columns(keys));
                    ResultSet deleted = statement.executeQuery()) {
                return claims.read(keys, deleted);
            }
        }));
        claims.release();
        return count;
    }

    /**
     * Returns the result of a query that PostgreSQL plans without a hash table of distinct ids. Its hash function has the same value for
     * many ids of one shard, so that a table of a million takes minutes; sorting them takes seconds.
     */
    private long unhashed(String query) throws SQLException {
        set(UNHASHED);
        return number(query);
    }

    private void set(String settings) throws SQLException {
        try (PreparedStatement setting = connection.prepareStatement(settings)) {
            setting.execute();
        }
    }

    private int update(String statement) throws SQLException {
        return repeated(() -> transaction(() -> {
            try (PreparedStatement prepared = prepare(statement)) {
                return prepared.executeUpdate();
            }
        }));
    }

    private <T> T transaction(Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            set(SETTINGS);
            T result = work.run();
            connection.commit();
            return result;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    /** Each transaction goes to where the shard is. A lost one is repeated: it has the same effect again. */
    private static <T> T repeated(Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (SQLException e) {
                String state = String.valueOf(e.getSQLState());
                if (attempt == ATTEMPTS || !(state.startsWith("08") || state.startsWith("40"))) {
                    throw e;
                }
            }
        }
    }

    /** Stores the rows of the lines after the first one, all of them or none. */
    public Report restore(BufferedReader lines) throws SQLException {
        return transaction(() -> {
            set("CREATE TEMPORARY TABLE sharded_id_rows (line json) ON COMMIT DROP");
            long read = copy(lines);
            require(
                    number(one("fits").sql) == 0,
                    "has rows of tables or columns that this cluster lacks, or lacks columns",
                    read);
            require(number(one("restore").sql) == read, "was changed meanwhile", read);
            claim();
            Map<String, Long> rows = counts();
            require(sum(rows) == read, "has rows that do not live with it, or some are here already", read);
            require(
                    number(one("differs").sql) == 0,
                    "has rows that are stored with other values, perhaps by a trigger, which has to be disabled",
                    read);
            return report(rows, rows, Map.of());
        });
    }

    private void claim() throws SQLException {
        for (RowStatement each : of("columns")) {
            List<UniqueKey> keys = claims.of(each.name);
            if (!keys.isEmpty()) {
                try (PreparedStatement statement = prepare(each.sql.replace("#columns", SqlClaims.columns(keys)))) {
                    statement.setFetchSize(FETCHED);
                    try (ResultSet stored = statement.executeQuery()) {
                        claims.take(connection, root.shard(), keys, stored);
                    }
                }
            }
        }
    }

    private long copy(BufferedReader lines) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO pg_temp.sharded_id_rows VALUES (CAST(? AS json))")) {
            long read = 0;
            for (String line = RowLines.read(lines); !RowLines.last(read).equals(line); line = RowLines.read(lines)) {
                require(line != null, "is not whole", read);
                insert.setString(1, line);
                insert.addBatch();
                if (++read % FETCHED == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
            return read;
        }
    }

    private void require(boolean condition, String obstacle, long lines) {
        if (!condition) {
            throw new RowsRefusedException(root + " is not restored: the export of " + lines + " rows " + obstacle
                    + ". Nothing was restored. Pass an export as it was written, in a cluster that has the same tables and"
                    + " none of its rows.");
        }
    }

    private long number(String query) throws SQLException {
        try (PreparedStatement statement = prepare(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The id is the only parameter of a statement, if it has any. */
    private PreparedStatement prepare(String statement) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        if (statement.contains("CAST(? AS ")) {
            prepared.setString(1, root.id());
        }
        return prepared;
    }
}
