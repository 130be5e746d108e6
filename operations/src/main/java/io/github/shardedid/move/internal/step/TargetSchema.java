package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.IdConstraints;
import io.github.shardedid.operations.internal.ShardSchemas;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.StructureComparison;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of the shard at the target: created empty, by the application's migrations, and writable by replication only.
 *
 * <p>Indexes that would slow down the copy are created after it, which costs less than maintaining them row by row. Their definitions are
 * in the journal before they are dropped. Foreign keys stay: replication does not check them.
 */
final class TargetSchema {
    private static final Logger LOG = LoggerFactory.getLogger(TargetSchema.class);
    private static final String REMAKE = "remake";

    /**
     * Indexes that are re-created identically from their definition. Not those of constraints, or that anything else depends on;
     * not those that depend on more than their table, operator classes and collations, as a function might not work without the
     * application's search path; and none of a table without a key, as replication may find its rows by any index.
     */
    private static final String REMAKABLE =
            """
            SELECT i.relname, pg_get_indexdef(i.oid)
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
              JOIN pg_namespace n ON n.oid = t.relnamespace
            WHERE n.nspname = ? AND t.relname = ANY (?) AND i.relkind = 'i' AND NOT i.relispartition AND i.reltablespace = 0
              AND x.indisvalid AND x.indisready AND x.indislive
              AND NOT (x.indisprimary OR x.indisreplident OR x.indisclustered OR x.indisexclusion)
              AND (t.relreplident = 'i' OR t.relreplident = 'd' AND EXISTS (SELECT FROM pg_index p
                WHERE p.indrelid = t.oid AND p.indisprimary AND p.indisvalid AND p.indimmediate))
              AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid)
              AND NOT EXISTS (SELECT FROM pg_description d WHERE d.classoid = 'pg_class'::regclass AND d.objoid = i.oid)
              AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.oid AND a.attstattarget >= 0)
              AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = i.oid)
              AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.oid
                AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid
                  OR d.refclassid IN ('pg_opclass'::regclass, 'pg_collation'::regclass)))
            ORDER BY i.relname""";

    /** Kilobytes that make a difference for an index of millions of rows, if the server's setting is lower. */
    private static final String SETTINGS =
            """
            SELECT set_config('maintenance_work_mem', greatest(setting::bigint, 262144) || 'kB', true),
              set_config('statement_timeout', '0', true), set_config('default_tablespace', '', true)
            FROM pg_settings WHERE name = 'maintenance_work_mem'""";

    private final MoveContext moving;
    private final Connection target;
    private final String schema;

    TargetSchema(MoveContext moving) {
        this.moving = moving;
        this.target = moving.target();
        this.schema = moving.names().schema();
    }

    /** Starts from whatever an earlier attempt has left. */
    void prepare() throws SQLException {
        Sql.transaction(target, () -> {
            receive();
            Sql.execute(target, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        });
        asOwner(target, () -> {
            Sql.transaction(target, () -> ShardSchemas.create(target, moving.shard()));
            moving.migrations().migrate(target, moving.move().target(), moving.shard());
            IdConstraints.carryOver(moving.source(), target, moving.shard());
            ShardSchemas.grantRoles(target, schema);
        });
        List<String> copied = ShardTables.copied(target, schema);
        Sql.execute(target, "TRUNCATE " + String.join(", ", ShardTables.qualified(schema, copied)) + " CASCADE");
        requireSame();
        for (Connection side : List.of(moving.source(), target)) {
            Sql.execute(side, "CREATE TABLE IF NOT EXISTS " + marker() + " (id uuid PRIMARY KEY)");
        }
        if (!moving.move().offline()) {
            Sql.execute(target, ShardTables.refuseWrites(schema, ShardTables.all(target, schema)));
        }
    }

    String marker() {
        return ShardTables.qualified(schema, MoveNames.MARKER);
    }

    /** Refuses the move unless both schemas have the same structure. */
    private void requireSame() throws SQLException {
        String differences = differences();
        if (!differences.isEmpty()) {
            throw new MoveRefusedException(moving.title() + " is refused: the schema that the migrations make at the"
                    + " target is not as at the source. " + differences + ". "
                    + ShardScripts.wayOut(
                            moving.migrations(), moving.shard(), moving.move().source(), moving.source()));
        }
    }

    /** The differences as text; empty if there are none. */
    String differences() throws SQLException {
        List<String> identities = moving.journal().remembered("identities");
        return String.join(
                "; ", StructureComparison.differences(moving.source(), schema, target, schema, Set.copyOf(identities)));
    }

    /** An existing row keeps its generation, by which an abort recognizes it. */
    private void receive() throws SQLException {
        int changed = Sql.update(
                target,
                "INSERT INTO sharded_id.shard AS s (shard, generation, state) VALUES (?, ?, ?)"
                        + " ON CONFLICT (shard) DO UPDATE SET state = excluded.state, migrations = NULL"
                        + " WHERE s.state IN ('MOVED', 'RECEIVING')",
                moving.shard(),
                moving.move().generation() + 1,
                StoredShard.RECEIVING);
        if (changed == 0) {
            throw new MoveRefusedException(moving.title() + " is refused: the target has the shard already."
                    + " Look at sharded_id.shard in both databases.");
        }
    }

    /** Restores the state of the target before the move. */
    void remove() throws SQLException {
        Sql.transaction(target, () -> {
            StoredShard row = StoredShard.read(target, moving.shard());
            if (row == null || !row.state().equals(StoredShard.RECEIVING)) {
                return;
            }
            Sql.execute(target, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            if (row.generation() > moving.move().generation()) {
                Sql.update(target, "DELETE FROM sharded_id.shard WHERE shard = ?", moving.shard());
            } else {
                StoredShard.setState(target, moving.shard(), StoredShard.MOVED, StoredShard.RECEIVING);
            }
        });
    }

    /** Works as that role, and then as before. */
    static void asOwner(Connection connection, Sql.Work work) throws SQLException {
        String role = Sql.text(connection, "SELECT current_setting('role')");
        Sql.rows(
                connection,
                "SELECT set_config('role', pg_get_userbyid(nspowner), false) FROM pg_namespace"
                        + " WHERE nspname = 'sharded_id' AND pg_get_userbyid(nspowner) <> current_user");
        try {
            work.run();
        } finally {
            if (!connection.isClosed()) {
                Sql.rows(connection, "SELECT set_config('role', ?, false)", role);
            }
        }
    }

    /** Drops them, after the journal has recorded their definitions. The schema is dropped if the move stops before the copy. */
    void dropIndexes() throws SQLException {
        List<String> remake = new ArrayList<>();
        List<String> drops = new ArrayList<>();
        Sql.transaction(target, () -> {
            // Whatever the path is when they are made again: all names in the definitions have a schema.
            Sql.execute(target, "SET LOCAL search_path = pg_catalog");
            Sql.rows(target, REMAKABLE, schema, ShardTables.copied(target, schema))
                    .forEach(row -> {
                        String name = String.valueOf(row.get(0));
                        remake.add(name);
                        remake.add(String.valueOf(row.get(1)));
                        drops.add("DROP INDEX " + ShardTables.qualified(schema, name));
                    });
        });
        moving.journal().remember(REMAKE, remake);
        Sql.transaction(target, () -> Sql.execute(target, drops));
    }

    /** Creates those that do not exist. Replication into their tables waits during that time. */
    void remakeIndexes() throws SQLException {
        List<String> remake = moving.journal().remembered(REMAKE);
        for (int i = 0; i < remake.size(); i += 2) {
            String name = remake.get(i);
            String definition = remake.get(i + 1);
            if (!Sql.is(target, "SELECT to_regclass(?) IS NOT NULL", ShardTables.qualified(schema, name))) {
                LOG.info("{}: creating index {}, {} of {}", moving.title(), name, i / 2 + 1, remake.size() / 2);
                Sql.transaction(target, () -> {
                    Sql.rows(target, SETTINGS);
                    Sql.execute(target, definition);
                });
            }
        }
    }
}
