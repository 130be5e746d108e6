package io.github.shardedid.routing.internal;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the functions of a name are, by the catalogue of one of the databases; asked once for each name. Of several functions of one
 * name the least harmless counts. Safe for use by several threads.
 */
final class Functions {
    private static final int MOST_NAMES = 10_000;

    /**
     * A function outside of pg_catalog may read other rows unless it is immutable, or an extension's. What pg_catalog has of
     * volatile functions does something, but for those that are named; some that are stable read a table that an argument names.
     */
    private static final String LOOK_UP =
            """
            select p.proname,
                   bool_or(p.prokind <> 'f'),
                   bool_or(p.proretset),
                   bool_or(p.provolatile = 'v'),
                   bool_and(case
                       when p.pronamespace = 'pg_catalog'::regnamespace then
                           p.proname in ('random', 'random_normal', 'clock_timestamp', 'timeofday', 'gen_random_uuid', 'uuidv4',
                                         'uuidv7', 'timezone', 'pg_sleep', 'pg_sleep_for', 'pg_sleep_until', 'pg_is_in_recovery')
                           or (p.provolatile <> 'v' and p.proname !~ '_to_xml')
                       when p.provolatile = 's' then exists (
                           select from pg_catalog.pg_depend d
                            where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
                       else p.provolatile = 'i'
                   end)
              from pg_catalog.pg_proc p
             where p.proname = any (?)
             group by 1""";

    private static final String HAS_COLUMN =
            """
            select exists (
                select from pg_catalog.pg_attribute a
                  join pg_catalog.pg_class c on c.oid = a.attrelid
                  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                 where c.relname = ? and a.attname = ? and a.attnum > 0 and not a.attisdropped and n.nspname ~ '^shard_[0-9]+$')""";

    private final Map<String, FunctionKind> kinds;

    /** With what is known beforehand. */
    Functions(Map<String, FunctionKind> known) {
        kinds = new ConcurrentHashMap<>(known);
    }

    /** Whether all of these names are known. */
    boolean know(Collection<String> names) {
        return kinds.keySet().containsAll(names);
    }

    /** Asks for those that are not known. */
    void lookUp(Connection connection, Collection<String> names) throws SQLException {
        List<String> unknown =
                names.stream().filter(name -> !kinds.containsKey(name)).toList();
        Map<String, FunctionKind> found = new HashMap<>();
        unknown.forEach(name -> found.put(name, FunctionKind.UNKNOWN));
        try (PreparedStatement statement = connection.prepareStatement(LOOK_UP)) {
            Array array = connection.createArrayOf("text", unknown.toArray());
            statement.setArray(1, array);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(rows.getString(1), kind(rows));
                }
            }
        }
        if (kinds.size() > MOST_NAMES) {
            kinds.clear();
        }
        kinds.putAll(found);
    }

    private static FunctionKind kind(ResultSet row) throws SQLException {
        if (row.getBoolean(2)) {
            return FunctionKind.AGGREGATE;
        } else if (row.getBoolean(3)) {
            return FunctionKind.ROWS;
        } else if (!row.getBoolean(5)) {
            return FunctionKind.UNKNOWN;
        }
        return row.getBoolean(4) ? FunctionKind.VOLATILE : FunctionKind.PLAIN;
    }

    /** Whether a table of the shards on the connection's database has a column. */
    boolean hasColumn(Connection connection, String table, String column) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HAS_COLUMN)) {
            statement.setString(1, table);
            statement.setString(2, column);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    FunctionKind of(String name) {
        return kinds.getOrDefault(name, FunctionKind.UNKNOWN);
    }
}
