package io.github.shardedid.routing.internal.sql.catalog;

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

    private final Map<String, FunctionKind> functions;
    private final Map<TableName, TableColumns> tables;

    private final int plans;

    public Catalogue(Map<String, FunctionKind> functions, Map<TableName, TableColumns> tables, int plans) {
        this.plans = plans;
        this.functions = Map.copyOf(functions);
        this.tables = Map.copyOf(tables);
    }

    /** Whether a column is known to be never null. */
    public boolean isNotNull(String schema, String table, String column) {
        TableColumns columns = tables.get(new TableName(schema, table));
        TableColumns.Column found = columns == null ? null : columns.columns().get(column);
        return found != null && found.notNull();
    }

    /** How often statements were planned again. */
    int plans() {
        return plans;
    }

    public FunctionKind of(String name) {
        return functions.getOrDefault(name, FunctionKind.UNKNOWN);
    }

    /** Those that exist. */
    public Map<TableName, TableColumns> tables() {
        return tables;
    }
}
