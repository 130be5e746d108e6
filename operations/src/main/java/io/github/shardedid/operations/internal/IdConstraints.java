package io.github.shardedid.operations.internal;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** The time for which one run validates in one database; the next one goes on. */
    private static final Duration VALIDATION = Duration.ofSeconds(10);

    /** The pages of 1 GB: a start does not wait until a larger table has been read. */
    private static final int MOST_PAGES = 131_072;

    /**
     * By pg_depend, because the text of a default waits for locks of the table. Constraints are found by their tables, and functions by
     * their oid: thousands of shards have the same names.
     */
    private static final String LACKING =
            """
            WITH declared AS MATERIALIZED (
              SELECT * FROM ROWS FROM (pg_catalog.unnest(?::pg_catalog.name[]), pg_catalog.unnest(?::pg_catalog.name[])) d (tab, col)
            ), found AS (
              SELECT s.shard, n.oid AS schema, c.oid AS tab, c.relname, c.relowner, c.relpages, a.attnum, a.attname,
                a.attnum = i.indkey[0] AS is_key,
                'sharded_id_check' || CASE WHEN a.attnum = i.indkey[0] THEN ''
                  WHEN pg_catalog.octet_length(a.attname::text) > 46 THEN '_' || pg_catalog.md5(a.attname::text)
                  ELSE '_' || a.attname END AS name
              FROM sharded_id.shard s
              JOIN pg_catalog.pg_namespace n
                ON n.nspname = 'shard_' || pg_catalog.lpad(s.shard::text, greatest(4, pg_catalog.length(s.shard::text)), '0')
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attidentity = ''
                AND a.atttypid IN ('pg_catalog.int8'::pg_catalog.regtype, 'pg_catalog.int4'::pg_catalog.regtype)
              WHERE s.state = 'ACTIVE'
                AND (a.attnum = i.indkey[0] OR EXISTS (SELECT FROM declared d WHERE d.tab = c.relname AND d.col = a.attname))
            )
            SELECT f.shard, f.relname, f.attname, f.name, k.oid IS NOT NULL, pg_catalog.pg_has_role(f.relowner, 'USAGE'),
              f.relpages <= ?
            FROM found f LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = f.tab AND k.conname::text = f.name
            WHERE k.convalidated IS NOT TRUE AND CASE
              WHEN EXISTS (SELECT FROM declared d WHERE d.tab = f.relname AND d.col = f.attname) THEN
                f.is_key IS TRUE OR NOT EXISTS (SELECT FROM pg_catalog.pg_constraint r
                  JOIN pg_catalog.pg_class t ON t.oid = r.confrelid AND t.relnamespace = f.schema
                  WHERE r.conrelid = f.tab AND r.contype = 'f' AND r.conkey = ARRAY[f.attnum]
                    AND coalesce(pg_catalog.to_jsonb(r) ->> 'conenforced', 'true') = 'true')
              WHEN EXISTS (SELECT FROM pg_catalog.pg_attrdef d WHERE d.adrelid = f.tab AND d.adnum = f.attnum) THEN
                EXISTS (SELECT FROM pg_catalog.pg_attrdef d
                  JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND p.objid = d.oid
                    AND p.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                  JOIN pg_catalog.pg_proc g ON g.oid = p.refobjid AND g.proname::text = 'next_id'
                  WHERE d.adrelid = f.tab AND d.adnum = f.attnum)
              ELSE EXISTS (SELECT FROM pg_catalog.pg_class q JOIN pg_catalog.pg_sequence v ON v.seqrelid = q.oid
                WHERE q.relnamespace = f.schema AND q.relname = f.relname || '_' || f.attname || '_seq' AND v.seqmin = 0) END
            ORDER BY 1, 2, 3
            """;

    private static final String VALID = "SELECT c.relname, k.conname, pg_catalog.pg_get_constraintdef(k.oid) FROM"
            + " pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?"
            + " AND k.conname LIKE 'sharded\\_id\\_check%' AND k.convalidated AND NOT c.relispartition ORDER BY 1, 2";

    private IdConstraints() {}

    /** A column that lacks a valid constraint. */
    private record Lacking(
            int shard, String table, String column, String name, boolean exists, boolean own, boolean small) {
        String qualified() {
            return ShardSchema.nameOf(shard) + "." + Sql.name(table);
        }

        /** By operators, since PostgreSQL would plan a function again for each statement, which doubles the cost of an insert. */
        String add(IdLayout layout) {
            String id = Sql.name(column);
            return "ALTER TABLE " + qualified() + " ADD CONSTRAINT " + Sql.name(name) + " CHECK (" + id
                    + (layout.bits() == 32 ? " BETWEEN 0 AND " + layout.maxId() : " >= 0") + " AND (" + id + " >> "
                    + layout.sequenceBits() + " & " + (layout.maxShards() - 1) + ") = " + shard + ") NOT VALID";
        }

        String validate() {
            return "ALTER TABLE " + qualified() + " VALIDATE CONSTRAINT " + Sql.name(name);
        }
    }

    /** Returns whether a database lacks a constraint, or has one that is not valid yet. */
    public static boolean areMissing(Connection connection, Map<String, Set<String>> declared) throws SQLException {
        return !lacking(connection, declared).isEmpty();
    }

    /**
     * Adds missing constraints in one database, unless another instance is provisioning it.
     *
     * @param declared by table, the columns with ids of the row's own shard
     */
    public static void complete(
            String database, Connection connection, IdLayout layout, Map<String, Set<String>> declared)
            throws SQLException {
        if (!areMissing(connection, declared)) {
            return;
        }
        SessionLock lock = SessionLock.tryOnDatabase(connection);
        if (lock == null) {
            return; // The holder does this, too, or the next start does.
        }
        try (lock) {
            // Read again, since another instance may have worked until now.
            Map<Integer, List<Lacking>> byShard = lacking(connection, declared).stream()
                    .filter(each -> isOwn(database, each))
                    .collect(Collectors.groupingBy(Lacking::shard, TreeMap::new, Collectors.toList()));
            List<Lacking> added = new ArrayList<>();
            for (List<Lacking> ofShard : byShard.values()) {
                added.addAll(add(database, connection, ofShard, layout));
            }
            validateAll(database, connection, added);
        }
    }

    private static boolean isOwn(String database, Lacking column) {
        if (!column.own()) {
            LOG.warn(
                    "Database {}: {} gets no constraint on its ids, because another role owns it",
                    database,
                    column.qualified());
        }
        return column.own();
    }

    /** Returns those that exist now. New rows are checked from then on. */
    private static List<Lacking> add(String database, Connection connection, List<Lacking> columns, IdLayout layout)
            throws SQLException {
        List<String> texts = columns.stream()
                .filter(each -> !each.exists())
                .map(each -> each.add(layout))
                .toList();
        try {
            // A session that waits for this lock makes all others wait.
            run(connection, "lock_timeout = '1s'", texts);
            return columns;
        } catch (SQLException e) {
            if (!Sql.isLocked(e)) {
                throw e;
            } else if (columns.size() == 1) {
                LOG.warn(
                        "Database {}: {} is in use and gets its constraint on ids at the next start",
                        database,
                        columns.get(0).qualified());
                return List.of();
            }
            List<Lacking> added = new ArrayList<>();
            for (Lacking each : columns) {
                added.addAll(add(database, connection, List.of(each), layout));
            }
            return added;
        }
    }

    /** Validates the constraints of a shard together, or else one by one. */
    private static void validateAll(String database, Connection connection, Collection<Lacking> all)
            throws SQLException {
        long end = System.nanoTime() + VALIDATION.toNanos();
        Map<Integer, List<Lacking>> byShard = all.stream()
                .filter(each -> isSmall(database, each))
                .collect(Collectors.groupingBy(Lacking::shard, TreeMap::new, Collectors.toList()));
        for (List<Lacking> ofShard : byShard.values()) {
            if (System.nanoTime() - end > 0) {
                LOG.info("Database {}: the other constraints on ids are validated at the next start", database);
                return;
            }
            validate(database, connection, ofShard);
        }
    }

    private static boolean isSmall(String database, Lacking column) {
        if (!column.small()) {
            LOG.info(
                    "Database {}: to look for rows with ids of other shards in a large table: {}",
                    database,
                    column.validate());
        }
        return column.small();
    }

    private static void validate(String database, Connection connection, List<Lacking> columns) throws SQLException {
        try {
            run(
                    connection,
                    "statement_timeout = '10s'; SET LOCAL lock_timeout = '1s'",
                    columns.stream().map(Lacking::validate).toList());
        } catch (SQLException e) {
            if (columns.size() > 1) {
                for (Lacking each : columns) {
                    validate(database, connection, List.of(each));
                }
                return;
            }
            Lacking column = columns.get(0);
            if (CHECK_VIOLATION.equals(e.getSQLState())) {
                LOG.error(
                        "Database {}: {} has rows whose {} is an id of another shard, where nothing that goes by the id finds"
                                + " them, while queries over several shards return them from each shard that has them. New"
                                + " ones are refused. Find them by: SELECT * FROM {} WHERE sharded_id.shard_of({}) <> {}."
                                + " A migration runs in each shard: let it insert a row with an id of its own only WHERE"
                                + " current_schema() is that of the row's shard, and delete the others.",
                        database,
                        column.qualified(),
                        Sql.name(column.column()),
                        column.qualified(),
                        Sql.name(column.column()),
                        column.shard());
            } else if (Sql.isLocked(e) || CANCELED.equals(e.getSQLState())) {
                LOG.info("Database {}: not done, for the table is large or in use: {}", database, column.validate());
            } else {
                throw e;
            }
        }
    }

    private static void run(Connection connection, String settings, List<String> texts) throws SQLException {
        if (!texts.isEmpty()) {
            Transaction.run(
                    connection,
                    () -> Sql.execute(connection, "SET LOCAL " + settings + "; " + String.join("; ", texts)));
        }
    }

    private static List<Lacking> lacking(Connection connection, Map<String, Set<String>> declared) throws SQLException {
        List<String> tables = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        declared.forEach((table, names) -> names.forEach(column -> {
            tables.add(table);
            columns.add(column);
        }));
        return Transaction.read(
                connection,
                () -> Sql.query(
                        connection,
                        LACKING,
                        row -> new Lacking(
                                row.getInt(1),
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                row.getBoolean(5),
                                row.getBoolean(6),
                                row.getBoolean(7)),
                        tables,
                        columns,
                        MOST_PAGES));
    }

    /** Adds the valid constraints of a shard to a copy without rows. */
    public static void carryOver(Connection source, Connection target, int shard) throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        Sql.execute(
                target,
                Sql.query(
                        source,
                        VALID,
                        row -> "ALTER TABLE IF EXISTS " + schema + "." + Sql.name(row.getString(1))
                                + " DROP CONSTRAINT IF EXISTS " + Sql.name(row.getString(2)) + ", ADD CONSTRAINT "
                                + Sql.name(row.getString(2)) + " " + row.getString(3),
                        schema));
    }
}
