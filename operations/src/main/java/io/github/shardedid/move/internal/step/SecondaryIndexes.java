package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of the target that would slow down the copy: creating them afterwards costs less than maintaining them row by row.
 * Their definitions are in the journal before they are dropped. Foreign keys stay: replication does not check them.
 */
final class SecondaryIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(SecondaryIndexes.class);
    private static final String COLUMN = "remake";

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

    private final Moving moving;
    private final Connection target;
    private final String schema;

    SecondaryIndexes(Moving moving) {
        this.moving = moving;
        this.target = moving.target();
        this.schema = moving.names().schema();
    }

    /** Drops them, after the journal has recorded their definitions. The schema is dropped if the move stops before the copy. */
    void drop() throws SQLException {
        List<String> remake = new ArrayList<>();
        List<String> drops = new ArrayList<>();
        Sql.transaction(target, () -> {
            // Whatever the path is when they are made again: all names in the definitions have a schema.
            Sql.execute(target, "SET LOCAL search_path = pg_catalog");
            Sql.rows(target, REMAKABLE, schema, Tables.copied(target, schema)).forEach(row -> {
                String name = String.valueOf(row.get(0));
                remake.add(name);
                remake.add(String.valueOf(row.get(1)));
                drops.add("DROP INDEX " + Tables.qualified(schema, name));
            });
        });
        moving.journal().remember(COLUMN, remake);
        Sql.transaction(target, () -> Sql.execute(target, drops));
    }

    /** Creates those that do not exist. Replication into their tables waits during that time. */
    void remake() throws SQLException {
        List<String> remake = moving.journal().remembered(COLUMN);
        for (int i = 0; i < remake.size(); i += 2) {
            String name = remake.get(i);
            String definition = remake.get(i + 1);
            if (!Sql.is(target, "SELECT to_regclass(?) IS NOT NULL", Tables.qualified(schema, name))) {
                LOG.info("{}: creating index {}, {} of {}", moving.title(), name, i / 2 + 1, remake.size() / 2);
                Sql.transaction(target, () -> {
                    Sql.rows(target, SETTINGS);
                    Sql.execute(target, definition);
                });
            }
        }
    }
}
