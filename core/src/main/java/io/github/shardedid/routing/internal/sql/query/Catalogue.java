package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is known of the functions, the operators and the tables of a query. Immutable. */
public final class Catalogue {
    /** Before the name of an operator, which is then in the place of a function's. */
    public static final String OPERATOR = "operator ";

    /** In the place of a function's name: all casts, and those that nobody has to write. */
    public static final String CASTS = "any cast";

    public static final String IMPLICIT_CASTS = "implicit cast";

    /** Before the name of an aggregate that is merged: plain if none but PostgreSQL's own can be meant. */
    public static final String MERGED = "merged ";

    /** The aggregates that are merged. */
    public static final Set<String> AGGREGATES =
            Set.of("count", "sum", "min", "max", "avg", "bool_and", "bool_or", "every");

    /** The operators that key words such as IN, BETWEEN and LIKE mean. */
    private static final Set<String> OF_WORDS =
            Set.of("=", "<>", "<", ">", "<=", ">=", "~~", "!~~", "~~*", "!~~*", "~");

    /** Behind one of these a star means all columns, or all rows. */
    private static final Set<String> BEFORE_STAR = Set.of("(", ".", ",", "SELECT", "ALL", "DISTINCT");

    private final Map<String, FunctionKind> functions;
    private final Map<TableName, TableColumns> tables;

    private final int plans;

    /**
     * The names in a query that the catalogs are asked about.
     *
     * @param functions those of functions, of columns that could be functions, of operators and casts, as the catalogue has them
     * @param tables the tables
     */
    public record Names(Set<String> functions, Set<TableName> tables) {}

    public Catalogue(Map<String, FunctionKind> functions, Map<TableName, TableColumns> tables, int plans) {
        this.plans = plans;
        this.functions = Map.copyOf(functions);
        this.tables = Map.copyOf(tables);
    }

    /** Returns whether a column is known to be never null. */
    public boolean isNotNull(String schema, String table, String column) {
        TableColumns columns = tables.get(new TableName(schema, table));
        TableColumns.Column found = columns == null ? null : columns.columns().get(column);
        return found != null && found.notNull();
    }

    /** Returns how often statements were planned again. */
    int plans() {
        return plans;
    }

    public FunctionKind of(String name) {
        return functions.getOrDefault(name, FunctionKind.UNKNOWN);
    }

    /** Returns the tables that exist. */
    public Map<TableName, TableColumns> tables() {
        return tables;
    }

    /** Returns whether there is a function of that name that may read other rows. */
    boolean isUnknown(String name) {
        return of(name) == FunctionKind.UNKNOWN || of(name) == FunctionKind.UNKNOWN_AGGREGATE;
    }

    /**
     * Returns the names of the operators and casts of a query. Which operator a name means depends on types that only the server knows, so the catalog is
     * asked by their names.
     */
    static Set<String> operators(SqlText text) {
        Set<String> names = new HashSet<>(Set.of(IMPLICIT_CASTS));
        OF_WORDS.forEach(operator -> names.add(OPERATOR + operator));
        for (int i = 0; i < text.size(); i++) {
            boolean allColumns = text.is(i, "*") && BEFORE_STAR.contains(text.at(i - 1));
            if (text.isOperator(i) && !allColumns && !text.is(i, "?")) {
                names.add(OPERATOR + text.raw(i).replace("??", "?"));
            } else if (text.is(i, "::") || text.is(i, "CAST")) {
                names.add(CASTS);
            }
        }
        return names;
    }

    /**
     * Refuses operators and casts that are not known to compute their result from their operands alone: one that the application has created may call a
     * function that reads other rows.
     */
    void checkOperators(SqlText text) {
        for (String name : operators(text)) {
            if (of(name) != FunctionKind.PLAIN) {
                throw ScatterRefusal.of(
                        name.startsWith(OPERATOR)
                                ? "The " + name + ", which may call a function of your own that reads other rows,"
                                : "A query in which a cast may call a function of your own that reads other rows,",
                        text,
                        "Declare the function IMMUTABLE if it reads none; or, " + ScatterRefusal.PER_SHARD);
            }
        }
    }
}
