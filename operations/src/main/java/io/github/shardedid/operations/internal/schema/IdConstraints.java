package io.github.shardedid.operations.internal.schema;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check constraints by which the table of a shard refuses rows whose id is of another shard, whoever writes them. A
 * table has sharded ids if its primary key is one bigint or int column that {@code next_id} generates: by the default
 * of the column or, for a column without one, by a sequence of its usual name with {@code MINVALUE 0}.
 */
public final class IdConstraints {
    private static final Logger LOG = LoggerFactory.getLogger(IdConstraints.class);

    private static final String NAME = "sharded_id_check";
    private static final String CHECK_VIOLATION = "23514";

    private static final String LACKING =
            """
            SELECT s.shard, c.relname, a.attname, k.oid IS NOT NULL AS is_there, pg_catalog.pg_has_role(c.relowner, 'USAGE') AS own
            FROM sharded_id.shard s
            JOIN pg_catalog.pg_namespace n
              ON n.nspname = 'shard_' || pg_catalog.lpad(s.shard::text, greatest(4, pg_catalog.length(s.shard::text)), '0')
            JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attidentity = ''
              AND a.atttypid IN ('pg_catalog.int8'::pg_catalog.regtype, 'pg_catalog.int4'::pg_catalog.regtype)
            LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid AND k.conname = 'sharded_id_check'
            WHERE s.state = 'ACTIVE' AND k.convalidated IS NOT TRUE
              AND CASE WHEN d.oid IS NOT NULL THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE '%next\\_id(%'
                ELSE EXISTS (SELECT FROM pg_catalog.pg_class q JOIN pg_catalog.pg_sequence v ON v.seqrelid = q.oid
                  WHERE q.relnamespace = n.oid AND q.relname = c.relname || '_' || a.attname || '_seq' AND v.seqmin = 0) END
            ORDER BY 1, 2
            """;

    private static final String VALID = "SELECT c.relname, pg_catalog.pg_get_constraintdef(k.oid) FROM"
            + " pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND k.conname = '" + NAME
            + "' AND k.convalidated AND NOT c.relispartition ORDER BY 1";

    private IdConstraints() {}

    private record Table(int shard, String name, String column, boolean hasConstraint, boolean own) {
        String qualified() {
            return ShardSchema.nameOf(shard) + "." + Sql.name(name);
        }

        /** By operators, since PostgreSQL would plan a function again for each statement, which doubles the cost of an insert. */
        String condition(IdLayout layout) {
            String id = Sql.name(column);
            return "CHECK (" + id + (layout.bits() == 32 ? " BETWEEN 0 AND " + layout.maxId() : " >= 0") + " AND (" + id
                    + " >> " + layout.sequenceBits() + " & " + (layout.maxShards() - 1) + ") = " + shard + ")";
        }
    }

    /** Adds missing constraints in one database, unless another instance is provisioning it. */
    public static void complete(String database, Connection connection, IdLayout layout) throws SQLException {
        if (lacking(connection).isEmpty()) {
            return;
        }
        SessionLock lock = SessionLock.tryOnDatabase(connection);
        if (lock == null) {
            return; // The holder does this, too, or the next start does.
        }
        try (lock) {
            // Read again, since another instance may have worked until now.
            for (Table table : lacking(connection)) {
                complete(database, connection, table, layout);
            }
        }
    }

    private static void complete(String database, Connection connection, Table table, IdLayout layout)
            throws SQLException {
        if (!table.own()) {
            LOG.warn(
                    "Database {}: {} gets no constraint on its ids, because another role owns it",
                    database,
                    table.qualified());
            return;
        }
        try {
            if (!table.hasConstraint()) {
                // A session that waits for this lock makes all others wait.
                Transaction.run(
                        connection,
                        () -> Sql.execute(
                                connection,
                                "SET LOCAL lock_timeout = '1s'; ALTER TABLE " + table.qualified() + " ADD CONSTRAINT "
                                        + NAME + " " + table.condition(layout) + " NOT VALID"));
            }
            Sql.execute(connection, "ALTER TABLE " + table.qualified() + " VALIDATE CONSTRAINT " + NAME);
        } catch (SQLException e) {
            if (Sql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                LOG.warn(
                        "Database {}: {} is in use and gets its constraint on ids at the next start",
                        database,
                        table.qualified());
            } else if (CHECK_VIOLATION.equals(e.getSQLState())) {
                LOG.error(
                        "Database {}: {} has rows whose ids are of another shard, where nothing that goes by the id finds"
                                + " them. New ones are refused. Find them by: SELECT * FROM {} WHERE sharded_id.shard_of({})"
                                + " <> {}",
                        database,
                        table.qualified(),
                        table.qualified(),
                        Sql.name(table.column()),
                        table.shard());
            } else {
                throw e;
            }
        }
    }

    private static List<Table> lacking(Connection connection) throws SQLException {
        return Transaction.read(
                connection,
                () -> Sql.query(
                        connection,
                        LACKING,
                        row -> new Table(
                                row.getInt(1),
                                row.getString(2),
                                row.getString(3),
                                row.getBoolean(4),
                                row.getBoolean(5))));
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
                                + " DROP CONSTRAINT IF EXISTS " + NAME + ", ADD CONSTRAINT " + NAME + " "
                                + row.getString(2),
                        schema));
    }
}
