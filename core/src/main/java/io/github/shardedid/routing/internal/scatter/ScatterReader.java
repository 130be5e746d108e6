package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.connection.Failures;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.Catalogues;
import io.github.shardedid.routing.internal.sql.query.ScatterParser;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.TableComparison;
import io.github.shardedid.routing.internal.sql.query.ValueLists;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the texts of queries over several shards, and checks them by what the catalogs of the shards' databases say. */
record ScatterReader(Scatters scatters, ScatterSource source) {
    /**
     * A text as it was read and checked.
     *
     * @param values what the query's parameters stand for
     * @param databases those by which it was checked
     */
    record Reading(ScatterQuery query, List<ValueLists.Values> values, Set<String> databases) {}

    /**
     * Reads and checks a text; what was read before is known.
     *
     * @param arrays whether lists of ids become arrays
     */
    Reading read(ValueLists lists, ShardSet shards, boolean arrays) throws SQLException {
        SortedMap<String, List<Integer>> homes = ShardChunks.homes(shards, scatters.databases());
        ValueLists.Written written = arrays ? lists.collapsed() : lists.original();
        Reading reading = checked(written, homes, shards);
        ValueLists.Written again = arrays ? lists.withArrays(reading.query.listsOfIds()) : written;
        return again.sql().equals(written.sql()) ? reading : checked(again, homes, shards);
    }

    private Reading checked(ValueLists.Written text, SortedMap<String, List<Integer>> homes, ShardSet shards)
            throws SQLException {
        if (text.values().size() > ScatterQuery.MOST_PARAMETERS) {
            throw new SQLException(
                    "A statement has at most " + ScatterQuery.MOST_PARAMETERS + " parameters, and this one has "
                            + text.values().size() + ": " + SqlText.brief(text.sql())
                            + ". Nothing was sent. Pass the values as an array: = any (?), in HQL array_contains(:values, …).",
                    "54000");
        }
        ScatterParser parser = scatters.parser(text.sql(), shards.isPerShard());
        Set<String> databases = lookUp(parser, homes, false);
        int version = scatters.catalogues().version();
        ScatterQuery query = parser.checked(version, databases);
        try {
            query = query == null ? query(parser, databases) : query;
        } catch (UnmergeableQueryException e) {
            // Perhaps by what was known before. What is accepted by it, each execution verifies.
            databases = lookUp(parser, homes, true);
            query = query(parser, databases);
        }
        return new Reading(query, text.values(), databases);
    }

    private ScatterQuery query(ScatterParser parser, Set<String> databases) {
        Catalogues catalogues = scatters.catalogues();
        int version = catalogues.version();
        return parser.query(catalogues.of(databases, parser.names()), scatters.colocated(), version, databases);
    }

    /** Reads in each database what is not known of the names of a query; returns those that can be reached. */
    private Set<String> lookUp(ScatterParser parser, SortedMap<String, List<Integer>> homes, boolean again)
            throws SQLException {
        Catalogues catalogues = scatters.catalogues();
        boolean[] tables = {again || !catalogues.knowsTables(parser.names())};
        return forEach(
                homes,
                (connection, database, numbers) -> {
                    catalogues.lookUp(connection, database, parser.names());
                    if (tables[0]) {
                        catalogues.lookUpTables(connection, ShardSchema.nameOf(numbers.get(0)), parser.names());
                        tables[0] = false;
                    }
                },
                database -> !again && !tables[0] && catalogues.knows(database, parser.names()));
    }

    /**
     * Whether a query that has failed, or has returned different columns, is to be read again, as tables or functions have changed.
     *
     * @throws UnmergeableQueryException if shards have different tables
     */
    boolean isOutdated(Reading reading, ShardSet shards, @Nullable SQLException failure) throws SQLException {
        TableComparison comparison =
                new TableComparison(reading.query.text(), reading.query.assumptions(), scatters.catalogues());
        if (failure != null && ScatterFailures.isStalePlan(failure)) {
            scatters.catalogues().planAgain();
        }
        Set<String> databases =
                forEach(ShardChunks.homes(shards, scatters.databases()), comparison::add, database -> false);
        return comparison.isOutdated() || !databases.equals(reading.databases);
    }

    @FunctionalInterface
    private interface Inspection {
        void on(Connection connection, String database, List<Integer> shards) throws SQLException;
    }

    /**
     * Inspects each database that is not known yet, that of the transaction over its connection.
     *
     * @return those that could be reached; what cannot, the query itself finds out
     */
    private Set<String> forEach(SortedMap<String, List<Integer>> homes, Inspection inspection, Predicate<String> known)
            throws SQLException {
        Set<String> reached = new HashSet<>();
        SQLException failure = null;
        List<PhysicalConnection> writers = source.writers();
        for (Map.Entry<String, List<Integer>> home : homes.entrySet()) {
            String database = home.getKey();
            try {
                Optional<PhysicalConnection> writer = writers.stream()
                        .filter(each -> each.database().equals(database))
                        .findFirst();
                if (writer.isPresent() && !known.test(database)) {
                    inspection.on(writer.get().connection(), database, home.getValue());
                } else if (!known.test(database)) {
                    source.on(database, connection -> {
                        inspection.on(connection, database, home.getValue());
                        return database;
                    });
                }
                reached.add(database);
            } catch (SQLException e) {
                if (!ChunkRelocation.isAway(e)) {
                    throw e;
                }
                failure = Failures.add(failure, ScatterFailures.away(database, home.getValue(), e));
            }
        }
        if (reached.isEmpty() && failure != null) {
            throw failure;
        }
        return reached;
    }
}
