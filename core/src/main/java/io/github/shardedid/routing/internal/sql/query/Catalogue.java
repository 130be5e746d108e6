package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.grammar.TableName;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge about the functions and the tables of a query, as the catalogs of several databases say
 * together. Immutable.
 *
 * @param functions by their names, without schemas: of several of one name, the least harmless counts
 * @param tables those that exist
 * @param plans how often statements were planned again, which becomes a part of their texts
 */
public record Catalogue(Map<String, Kind> functions, Map<TableName, TableColumns> tables, int plans) {
    /** Stands for all operators and casts of a database, among the names of functions. */
    public static final String OPERATORS = "operators and casts";

    /** The aggregates that are merged. */
    static final Set<String> AGGREGATES = Set.of("count", "sum", "min", "max", "avg", "bool_and", "bool_or", "every");

    /** The kinds of functions: what all functions of a name may do. */
    public enum Kind {
        /** Computes its result from its arguments alone. */
        PLAIN,
        /** Computes its result from its arguments, but returns another value each time. */
        VOLATILE,
        /** Returns several rows. */
        ROWS,
        /** An aggregate, or a window function. */
        AGGREGATE,
        /** May read other rows, or do something. */
        UNKNOWN,
        /**
         * There is no such function, or it is another one in each database, or an aggregate that may be another
         * than it seems.
         */
        NONE
    }

    /**
     * The names in a query that the catalogs are asked about.
     *
     * @param functions the names of functions, and {@link #OPERATORS}
     * @param tables the tables
     */
    public record Names(Set<String> functions, Set<TableName> tables) {}

    public Catalogue {
        functions = Map.copyOf(functions);
        tables = Map.copyOf(tables);
    }

    /** Returns what the functions of a name may do. */
    Kind of(String function) {
        return functions.getOrDefault(function, Kind.NONE);
    }

    /** Returns whether a name is that of an aggregate or a window function. */
    boolean isAggregate(String function) {
        return AGGREGATES.contains(function) || of(function) == Kind.AGGREGATE;
    }

    /** Returns a column of a table; null if it is not known. */
    TableColumns.@Nullable Column column(TableName table, String column) {
        TableColumns found = tables.get(table);
        return found == null ? null : found.columns().get(column);
    }
}
