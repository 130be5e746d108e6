package io.github.shardedid.operations.internal;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check constraints by which the table of a shard refuses ids of another shard, whoever writes them. They are on
 *
 * <ul>
 *   <li>the primary key, if it is one bigint or int column that {@code next_id} generates: by the default of the column or, for a
 *       column without one, by a sequence of its usual name with {@code MINVALUE 0};
 *   <li>the columns that are declared to hold ids of the row's own shard, unless a foreign key to a table of the shard refuses
 *       other ids already.
 * </ul>
 */
public final class IdConstraints {
    private static final Logger LOG = LoggerFactory.getLogger(IdConstraints.class);

    private static final String CHECK_VIOLATION = "23514";
    private static final String CANCELED = "57014";

    /** A table with more pages (128 MB) is not read while it is locked. */
    private static final int MOST_PAGES = 16_384;

    /** A session that waits for the lock of a table makes all others wait. */
    private static final String SETTINGS = "SET LOCAL lock_timeout = '1s'; SET LOCAL statement_timeout = '3s'; ";

    private static final String LACKING = Sql.load(IdConstraints.class, "id_constraints.sql");

    private static final String VALID = Sql.load(IdConstraints.class, "valid_id_constraints.sql");

    private IdConstraints() {}

    /**
     * A column that lacks a constraint; names are quoted where SQL needs it.
     *
     * @param own whether the user owns the table
     * @param valid whether the rows that are there are checked, too
     */
    private record Lacking(
            int shard, String table, String column, String name, String add, boolean own, boolean valid) {
        Lacking notValid() {
            return new Lacking(shard, table, column, name, add + " NOT VALID", own, false);
        }
    }

    /** Returns whether a database lacks a constraint. */
    public static boolean areMissing(Connection connection, Map<String, Set<String>> declared) throws SQLException {
        return !lacking(connection, declared).isEmpty();
    }

    /**
     * Adds missing constraints in one database, unless another instance is provisioning it.
     *
     * @param declared by table, the columns with ids of the row's own shard
     */
    public static void complete(String database, Connection connection, Map<String, Set<String>> declared)
            throws SQLException {
        if (!areMissing(connection, declared)) {
            return;
        }
        try (SessionLock lock = SessionLock.tryTake(connection, SessionLock.DATABASE)) {
            if (lock == null) {
                return; // The holder does this, too, or the next start does.
            }
            // Read again, since another instance may have worked until now.
            Map<Integer, List<Lacking>> byShard =
                    lacking(connection, declared).stream().collect(Collectors.groupingBy(Lacking::shard));
            for (List<Lacking> ofShard : byShard.values()) {
                ofShard.stream()
                        .filter(each -> !each.own)
                        .forEach(each -> LOG.warn(
                                "Database {}: {} gets no constraint on its ids, because another role owns it",
                                database,
                                each.table));
                add(database, connection, ofShard.stream().filter(Lacking::own).toList());
            }
        }
    }

    /** Adds those of a shard together, or else one by one. New rows are checked from then on. */
    private static void add(String database, Connection connection, List<Lacking> columns) throws SQLException {
        String texts = columns.stream().map(Lacking::add).collect(Collectors.joining("; "));
        try {
            Transaction.run(connection, () -> Sql.execute(connection, SETTINGS + texts));
            columns.stream()
                    .filter(each -> !each.valid())
                    .forEach(each -> LOG.warn(
                            "Database {}: rows that are in {} already were not checked. To check them, run ALTER TABLE {}"
                                    + " VALIDATE CONSTRAINT {}",
                            database,
                            each.table,
                            each.table,
                            each.name));
        } catch (SQLException e) {
            if (columns.size() > 1) {
                for (Lacking each : columns) {
                    add(database, connection, List.of(each));
                }
            } else {
                addAfter(e, database, connection, columns.get(0));
            }
        }
    }

    private static void addAfter(SQLException e, String database, Connection connection, Lacking column)
            throws SQLException {
        boolean misplaced = CHECK_VIOLATION.equals(e.getSQLState());
        if (misplaced) {
            LOG.error(
                    "Database {}: {} has rows whose {} is an id of another shard, where lookups by id do not find them, while"
                            + " queries over several shards return them from each shard that has them. New ones are refused. Find"
                            + " them by: SELECT * FROM {} WHERE sharded_id.shard_of({}) <> {}. A migration runs in each shard: let it"
                            + " insert a row with an id of its own only WHERE current_schema() is that of the row's shard, and"
                            + " delete the others.",
                    database,
                    column.table,
                    column.column,
                    column.table,
                    column.column,
                    column.shard);
        }
        if (column.valid() && (misplaced || CANCELED.equals(e.getSQLState()))) {
            add(database, connection, List.of(column.notValid()));
        } else if (Sql.isLocked(e) || CANCELED.equals(e.getSQLState())) {
            LOG.warn(
                    "Database {}: {} is in use and gets its constraint on ids at the next start",
                    database,
                    column.table);
        } else {
            throw e;
        }
    }

    private static List<Lacking> lacking(Connection connection, Map<String, Set<String>> declared) throws SQLException {
        List<String> tables = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        declared.forEach((table, names) -> names.forEach(column -> {
            tables.add(table);
            columns.add(column);
        }));
        return Transaction.read(connection, () -> {
            // With many tables, the query would be compiled for a second at each start.
            Sql.execute(connection, "SET LOCAL jit = off");
            return Sql.query(
                    connection,
                    LACKING,
                    row -> new Lacking(
                            row.getInt(1),
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5) + (row.getBoolean(7) ? "" : " NOT VALID"),
                            row.getBoolean(6),
                            row.getBoolean(7)),
                    tables,
                    columns,
                    MOST_PAGES);
        });
    }

    /** Adds the valid constraints of a shard to a copy without rows. */
    public static void carryOver(Connection source, Connection target, int shard) throws SQLException {
        Sql.execute(target, Sql.strings(source, VALID, ShardSchema.nameOf(shard)));
    }
}
