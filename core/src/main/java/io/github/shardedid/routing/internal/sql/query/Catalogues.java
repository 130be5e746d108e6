package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the databases' catalogs say of the functions, the operators and the tables in queries over several shards. Nothing of it is
 * believed for ever:
 *
 * <ul>
 *   <li>Each execution verifies the {@linkplain Assumptions tables and the functions} of its query. If one has changed, it fails, and
 *       a {@link Comparison} reads them again.
 *   <li>Operators and casts, and what an aggregate calls, are read again after half a minute.
 * </ul>
 *
 * Safe for use by several threads.
 */
public final class Catalogues {
    private static final long BELIEVED = TimeUnit.SECONDS.toNanos(30);
    private static final int MOST_NAMES = 10_000;

    /**
     * A function outside of pg_catalog may read other rows unless it is immutable, or an extension's. What pg_catalog has of
     * volatile functions does something, but for those that are named; some that are stable read a table that an argument names.
     * An aggregate is as harmless as the functions that it is made of. Extensions have aggregates of the merged names for types of
     * their own, which the merging refuses. Of several of one name the least harmless counts.
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
                   end),
                   %s
              from pg_catalog.pg_proc p
             where p.proname = any ((select names from wanted)::text[])
             group by 1
            union all
            select 'operator ' || o.oprname, false, false, false, bool_and(o.oprcode not in (select oid from own)), null
              from pg_catalog.pg_operator o
             where 'operator ' || o.oprname = any ((select names from wanted)::text[])
             group by 1
            union all
            select kind, false, false, false, not exists (
                       select from pg_catalog.pg_cast c
                        where c.castfunc in (select oid from own) and (kind = 'any cast' or c.castcontext = 'i')), null
              from unnest(array['any cast', 'implicit cast']) kind
            union all
            select 'merged ' || name, false, false, false, not exists (
                       select from pg_catalog.pg_proc p
                         join pg_catalog.pg_type t on t.oid = p.prorettype
                        where p.proname = name
                          and p.pronamespace <> 'pg_catalog'::regnamespace
                          and (t.typnamespace = 'pg_catalog'::regnamespace or not exists (
                              select from pg_catalog.pg_depend d
                               where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'))), null
              from unnest(array['count', 'sum', 'min', 'max', 'avg', 'bool_and', 'bool_or', 'every']) name"""
                    .formatted(Assumptions.FUNCTION);

    private final LongSupplier clock;
    private final Map<String, Map<String, Known>> functions = new ConcurrentHashMap<>();
    private final Map<TableName, TableColumns> tables = new ConcurrentHashMap<>();
    private final AtomicInteger version = new AtomicInteger();
    private final AtomicInteger plans = new AtomicInteger();

    /**
     * A name of a function or an operator in a database.
     *
     * @param own the functions of that name that are not PostgreSQL's
     * @param read by the clock
     */
    private record Known(FunctionKind kind, Set<String> own, long read) {}

    /** With a clock that counts nanoseconds. */
    public Catalogues(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns what is known of the names of a query if they are all harmless; of no tables. */
    public static Catalogue ofPlain(Catalogue.Names names) {
        return new Catalogue(
                names.functions().stream().collect(Collectors.toMap(name -> name, name -> FunctionKind.PLAIN)),
                Map.of(),
                0);
    }

    /** Changes whenever something is known otherwise than before. */
    public int version() {
        return version.get();
    }

    /** Has all connections prepare their statements again: the texts become other ones. */
    public void planAgain() {
        plans.incrementAndGet();
        version.incrementAndGet();
    }

    /** Returns whether all functions and operators of a query are known of a database. */
    public boolean knows(String database, Catalogue.Names names) {
        Map<String, Known> known = functions.getOrDefault(database, Map.of());
        long now = clock.getAsLong();
        return names.functions().stream().map(known::get).allMatch(name -> name != null && now - name.read < BELIEVED);
    }

    /** Returns whether all tables of a query are known. */
    public boolean knowsTables(Catalogue.Names names) {
        return tables.keySet().containsAll(names.tables());
    }

    /** Returns what is known of the names of a query in some databases. */
    public Catalogue of(Collection<String> databases, Catalogue.Names names) {
        Map<String, FunctionKind> kinds = new HashMap<>();
        for (String database : databases) {
            Map<String, Known> known = functions.getOrDefault(database, Map.of());
            for (String name : names.functions()) {
                Known found = known.get(name);
                kinds.merge(name, found == null ? FunctionKind.UNKNOWN : found.kind, FunctionKind::and);
            }
        }
        Map<TableName, TableColumns> named = new HashMap<>(tables);
        named.keySet().retainAll(names.tables());
        return new Catalogue(kinds, named, plans.get());
    }

    /** Returns the functions of some names in a database, as far as they are not PostgreSQL's. */
    public Set<String> own(String database, Collection<String> names) {
        Map<String, Known> known = functions.getOrDefault(database, Map.of());
        Set<String> own = new HashSet<>();
        names.forEach(name -> own.addAll(known.containsKey(name) ? known.get(name).own : Set.of()));
        return own;
    }

    /** Reads the functions and operators of a query in a database. */
    public void lookUp(Connection connection, String database, Catalogue.Names names) throws SQLException {
        lookUp(connection, database, names.functions());
    }

    /** Reads the tables of a query in a shard's schema. */
    public void lookUpTables(Connection connection, String schema, Catalogue.Names names) throws SQLException {
        Map<TableName, TableColumns> read = TableColumns.read(connection, Set.of(schema), names.tables());
        names.tables().forEach(name -> put(name, read.get(name.in(schema))));
    }

    /** A table that does not exist is asked for again each time. */
    private void put(TableName name, @Nullable TableColumns columns) {
        if (columns != null && !columns.equals(tables.put(name, columns))) {
            version.incrementAndGet();
        }
    }

    private void lookUp(Connection connection, String database, Set<String> wanted) throws SQLException {
        Map<String, Known> known = functions.computeIfAbsent(database, name -> new ConcurrentHashMap<>());
        if (known.size() + tables.size() > MOST_NAMES) {
            known.clear();
            tables.clear();
        }
        Map<String, Known> found = new HashMap<>();
        long now = clock.getAsLong();
        Set<String> all = new HashSet<>(wanted);
        all.addAll(Catalogue.AGGREGATES);
        all.forEach(name -> found.put(name, new Known(FunctionKind.NONE, Set.of(), now)));
        try (PreparedStatement statement = connection.prepareStatement(FUNCTIONS)) {
            statement.setArray(1, connection.createArrayOf("text", all.toArray()));
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                found.put(rows.getString(1), new Known(kind(rows), functions(rows, 6), now));
            }
        }
        found.forEach((name, after) -> {
            Known before = known.put(name, after);
            if (before != null && (before.kind != after.kind || !before.own.equals(after.own))) {
                version.incrementAndGet();
            }
        });
    }

    /** Functions in a column of a result. */
    public static Set<String> functions(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? Set.of() : Set.of((String[]) array.getArray());
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

    /** Begins to compare the tables of a query that has failed, or has returned different columns. */
    public Comparison compare(String sql, Assumptions assumptions) {
        return new Comparison(sql, assumptions);
    }

    /** Reads a query's tables again in all shards that it asks, after it has failed or has returned different columns. For one thread. */
    public final class Comparison {
        private final String sql;
        private final Assumptions assumptions;
        private final int known;
        private final Map<TableName, Seen> first = new HashMap<>();

        /** A table, and in which shard it was seen. */
        private record Seen(TableColumns columns, String where) {}

        private Comparison(String sql, Assumptions assumptions) {
            this.sql = sql;
            this.assumptions = assumptions;
            this.known = version();
        }

        /**
         * Reads the tables of some shards, and the functions of their database.
         *
         * @throws UnmergeableQueryException if a table is not as it is in another shard
         */
        public void add(Connection connection, String database, List<Integer> shards) throws SQLException {
            Map<TableName, TableColumns.Uses> tables = assumptions.tables();
            lookUp(connection, database, assumptions.functions());
            Map<TableName, TableColumns> read = TableColumns.read(
                    connection, shards.stream().map(ShardSchema::nameOf).toList(), tables.keySet());
            for (int shard : shards) {
                tables.forEach((name, uses) -> {
                    TableColumns columns = read.get(name.in(ShardSchema.nameOf(shard)));
                    if (columns != null) {
                        Seen seen = new Seen(columns, "shard " + shard + " on database " + database);
                        Seen before = first.putIfAbsent(name, seen);
                        requireAlike(name, before == null ? seen : before, seen, uses);
                    }
                });
            }
        }

        private void requireAlike(TableName name, Seen a, Seen b, TableColumns.Uses uses) {
            Map.Entry<String, String> difference = a.columns.difference(b.columns, uses);
            if (difference != null) {
                throw new UnmergeableQueryException("Table " + name.name() + " has " + difference.getKey() + " in "
                        + a.where
                        + ", and " + difference.getValue() + " in " + b.where + ". Rows of both cannot be one result: "
                        + SqlText.brief(sql)
                        + ". Finish the migration of all shards, select columns that are alike, or query each shard.");
            }
        }

        /** Returns whether something is otherwise than the query takes it to be. */
        public boolean isOutdated() {
            first.forEach((name, seen) -> put(name, seen.columns));
            return version() != known;
        }
    }
}
