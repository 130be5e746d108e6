package io.github.shardedid.routing.internal.sql.query;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What the functions and the tables of a name are, by the catalogue of one of the databases; asked once for each name. Of several of
 * one name the least harmless counts. Safe for use by several threads.
 */
public final class Catalogue {
    /** Before the name of an operator, which is then in the place of a function's. */
    static final String OPERATOR = "operator ";

    /** In the place of a function's name: all casts, and those that nobody has to write. */
    static final String CASTS = "any cast";

    static final String IMPLICIT_CASTS = "implicit cast";

    /** Before the name of an aggregate that is merged: plain if none but PostgreSQL's own can be meant. */
    static final String MERGED = "merged ";

    private static final int MOST_NAMES = 10_000;

    /**
     * A function outside of pg_catalog may read other rows unless it is immutable, or an extension's. What pg_catalog has of
     * volatile functions does something, but for those that are named; some that are stable read a table that an argument names.
     * An aggregate is as harmless as the functions that it is made of. Extensions have aggregates of the merged names for types of
     * their own, which the merging refuses.
     */
    private static final String FUNCTIONS =
            """
            with wanted as (select cast(? as text[]) as names),
            own as (
                select p.oid
                  from pg_catalog.pg_proc p
                 where p.pronamespace <> 'pg_catalog'::regnamespace
                   and p.provolatile <> 'i'
                   and not (p.provolatile = 's' and exists (
                       select from pg_catalog.pg_depend d
                        where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')))
            select p.proname,
                   bool_or(p.prokind <> 'f'),
                   bool_or(p.proretset),
                   bool_or(p.provolatile = 'v'),
                   bool_and(case
                       when p.pronamespace = 'pg_catalog'::regnamespace then
                           p.proname in ('random', 'random_normal', 'clock_timestamp', 'timeofday', 'gen_random_uuid', 'uuidv4',
                                         'uuidv7', 'timezone', 'pg_sleep', 'pg_sleep_for', 'pg_sleep_until', 'pg_is_in_recovery')
                           or (p.provolatile <> 'v' and p.proname !~ '_to_xml')
                       else p.oid not in (select oid from own)
                       and not exists (
                           select from pg_catalog.pg_aggregate a
                             join own on own.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn,
                                                     a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
                            where a.aggfnoid = p.oid)
                   end)
              from pg_catalog.pg_proc p
             where p.proname = any ((select names from wanted)::text[])
             group by 1
            union all
            select 'operator ' || o.oprname, false, false, false, bool_and(o.oprcode not in (select oid from own))
              from pg_catalog.pg_operator o
             where 'operator ' || o.oprname = any ((select names from wanted)::text[])
             group by 1
            union all
            select kind, false, false, false, not exists (
                       select from pg_catalog.pg_cast c
                        where c.castfunc in (select oid from own) and (kind = 'any cast' or c.castcontext = 'i'))
              from unnest(array['any cast', 'implicit cast']) kind
            union all
            select 'merged ' || name, false, false, false, not exists (
                       select from pg_catalog.pg_proc p
                         join pg_catalog.pg_type t on t.oid = p.prorettype
                        where p.proname = name
                          and p.pronamespace <> 'pg_catalog'::regnamespace
                          and (t.typnamespace = 'pg_catalog'::regnamespace or not exists (
                              select from pg_catalog.pg_depend d
                               where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')))
              from unnest(array['count', 'sum', 'min', 'max', 'avg', 'bool_and', 'bool_or', 'every']) name""";

    private static final String HAS_COLUMN =
            """
            select exists (
                select from pg_catalog.pg_attribute a
                  join pg_catalog.pg_class c on c.oid = a.attrelid
                  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                 where c.relname = ? and a.attname = ? and a.attnum > 0 and not a.attisdropped and n.nspname ~ '^shard_[0-9]+$')""";

    private static final String TABLES =
            """
            select c.relname, bool_or(c.relkind not in ('r', 'p'))
              from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
             where c.relname = any (?) and n.nspname ~ '^shard_[0-9]+$'
             group by 1""";

    private final Map<String, FunctionKind> kinds;
    private final Map<String, Boolean> views = new ConcurrentHashMap<>();

    /** With what is known beforehand. */
    public Catalogue(Map<String, FunctionKind> known) {
        kinds = new ConcurrentHashMap<>(known);
    }

    /** With functions and operators that are all harmless. */
    public static Catalogue ofPlain(Collection<String> functions) {
        return new Catalogue(functions.stream().collect(Collectors.toMap(name -> name, name -> FunctionKind.PLAIN)));
    }

    /** Whether all of these names are known. */
    public boolean knows(Collection<String> functions, Collection<String> tables) {
        return kinds.keySet().containsAll(functions) && views.keySet().containsAll(tables);
    }

    /** Asks for those that are not known. */
    public void lookUp(Connection connection, Collection<String> functions, Collection<String> tables)
            throws SQLException {
        if (kinds.size() + views.size() > MOST_NAMES) {
            kinds.clear();
            views.clear();
        }
        Map<String, FunctionKind> found = new HashMap<>();
        functions.forEach(name -> found.put(name, FunctionKind.NONE));
        ask(connection, FUNCTIONS, functions, row -> found.put(row.getString(1), kind(row)));
        kinds.putAll(found);
        ask(connection, TABLES, tables, row -> views.put(row.getString(1), row.getBoolean(2)));
    }

    private interface Rows {
        void accept(ResultSet row) throws SQLException;
    }

    private static void ask(Connection connection, String sql, Collection<String> names, Rows each)
            throws SQLException {
        if (names.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("text", names.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    each.accept(rows);
                }
            }
        }
    }

    private static FunctionKind kind(ResultSet row) throws SQLException {
        if (row.getBoolean(2)) {
            return row.getBoolean(5) ? FunctionKind.AGGREGATE : FunctionKind.UNKNOWN_AGGREGATE;
        } else if (row.getBoolean(3)) {
            return FunctionKind.ROWS;
        } else if (!row.getBoolean(5)) {
            return FunctionKind.UNKNOWN;
        }
        return row.getBoolean(4) ? FunctionKind.VOLATILE : FunctionKind.PLAIN;
    }

    /** Whether a table of the shards on the connection's database has a column. */
    public boolean hasColumn(Connection connection, String table, String column) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HAS_COLUMN)) {
            statement.setString(1, table);
            statement.setString(2, column);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    /** Whether a name is one of a view; what is no relation at all, the server says. */
    public boolean isView(String table) {
        return views.getOrDefault(table, false);
    }

    FunctionKind of(String name) {
        return kinds.getOrDefault(name, FunctionKind.UNKNOWN);
    }
}
