package io.github.shardedid.routing.internal.sql.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.routing.internal.sql.SqlFile;
import io.github.shardedid.routing.internal.sql.grammar.TableName;
import io.github.shardedid.routing.internal.sql.query.Catalogue.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The knowledge of the databases' catalogs about the functions and the tables in queries over several shards.
 * Safe for use by several threads.
 *
 * <p>To ask before each execution would cost a round trip to each database. So what was read is kept, and
 * nothing of it is believed for ever: each execution verifies the tables of its query, and fails if one has
 * changed, after which all is read again; functions, operators and casts are read again after half a minute.
 */
public final class Catalogues {
    /** The time after which functions are read again. */
    private static final Duration BELIEVED = Duration.ofSeconds(30);

    /** The number of names that are kept. Names come from texts, which an application may generate. */
    private static final int MOST_NAMES = 10_000;

    /** The condition that a function {@code p} is an extension's. */
    private static final String OF_EXTENSION =
            "exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid"
                    + " and d.deptype = 'e')";

    /**
     * A function outside of pg_catalog may read other rows unless it is immutable, or stable and an
     * extension's. What pg_catalog has of volatile functions does something, but for those that are named; some
     * that are stable read a table that an argument names. An aggregate is as harmless as the functions that it
     * is made of. Extensions have aggregates of the merged names for types of their own, which the merging
     * refuses. Of several of one name the least harmless counts.
     */
    private static final String FUNCTIONS =
            SqlFile.read(Catalogues.class, "kinds_of_functions.sql").formatted(OF_EXTENSION);

    private final Cache<Function, Kind> functions;
    /** The tables of all databases, as the first one has them. */
    private final Cache<TableName, TableColumns> tables = Caffeine.newBuilder()
            .maximumSize(MOST_NAMES)
            .executor(Runnable::run)
            .build();

    /** The number of times that everything was forgotten. */
    private final AtomicInteger plans = new AtomicInteger();

    /** The functions of a name in a database. */
    private record Function(String database, String name) {}

    /**
     * Creates catalogs of which nothing is known.
     *
     * @param clock counts nanoseconds
     */
    public Catalogues(LongSupplier clock) {
        this.functions = Caffeine.newBuilder()
                .maximumSize(MOST_NAMES)
                .expireAfterWrite(BELIEVED)
                .ticker(clock::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /** Returns what is known of the names of a query if they are all harmless; of no tables. */
    public static Catalogue ofPlain(Catalogue.Names names) {
        return new Catalogue(
                names.functions().stream().collect(Collectors.toMap(name -> name, name -> Kind.PLAIN)), Map.of(), 0);
    }

    /** Forgets everything. Connections prepare their statements again, too: the texts become other ones. */
    public void forget() {
        functions.invalidateAll();
        tables.invalidateAll();
        plans.incrementAndGet();
    }

    /** Returns whether all functions of a query are known of a database, and were read lately. */
    public boolean knows(String database, Catalogue.Names names) {
        return names.functions().stream()
                .allMatch(name -> functions.getIfPresent(new Function(database, name)) != null);
    }

    /** Returns whether all tables of a query are known. */
    public boolean knowsTables(Catalogue.Names names) {
        return tables.getAllPresent(names.tables()).size() == names.tables().size();
    }

    /**
     * Returns what is known of the names of a query in some databases. A function that differs among them
     * counts as missing, as one query would compute different values.
     */
    public Catalogue of(Collection<String> databases, Catalogue.Names names) {
        Map<String, Kind> kinds = new HashMap<>();
        for (String database : databases) {
            for (String name : names.functions()) {
                Kind found = functions.getIfPresent(new Function(database, name));
                kinds.merge(name, found == null ? Kind.NONE : found, (one, other) -> one == other ? one : Kind.NONE);
            }
        }
        return new Catalogue(kinds, tables.getAllPresent(names.tables()), plans.get());
    }

    /** Reads the functions of a query in a database. */
    public void lookUp(Connection connection, String database, Catalogue.Names names) throws SQLException {
        Map<Function, Kind> found = new HashMap<>();
        names.functions().forEach(name -> found.put(new Function(database, name), Kind.NONE));
        try (PreparedStatement statement = connection.prepareStatement(FUNCTIONS)) {
            statement.setArray(1, connection.createArrayOf("text", Catalogue.AGGREGATES.toArray()));
            statement.setArray(
                    2, connection.createArrayOf("text", names.functions().toArray()));
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                found.put(new Function(database, rows.getString(1)), Kind.valueOf(rows.getString(2)));
            }
        }
        functions.putAll(found);
    }

    /** Reads the tables of a query in a shard's schema. A table that does not exist is asked for again each time. */
    public void lookUpTables(Connection connection, String schema, Catalogue.Names names) throws SQLException {
        Set<String> schemas = new HashSet<>(Set.of(schema));
        names.tables().stream().filter(name -> !name.isSharded()).forEach(name -> schemas.add(name.schema()));
        Map<TableName, TableColumns> read = TableColumns.read(connection, schemas, names.tables());
        names.tables().forEach(name -> {
            TableColumns columns = read.get(name.in(schema));
            if (columns != null) {
                tables.put(name, columns);
            }
        });
    }
}
