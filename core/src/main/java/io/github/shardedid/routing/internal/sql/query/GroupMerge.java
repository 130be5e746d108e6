package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a database makes of the groups that the shards return: the query's select list, HAVING and ORDER BY over the shards' columns.
 *
 * @param template the query over {@code t(c1, …)}, in which the types of columns are still open
 * @param parameters which of the query's parameters, numbered from 1, it has, in its order
 * @param ordered whether its rows have an order, or are one
 * @param labels the names of the query's columns
 */
public record GroupMerge(String template, List<Integer> parameters, boolean ordered, Labels labels) {
    private static final String TYPE = "sharded_id_type_";
    private static final String QUOTIENT = "sharded_id_quotient_";
    private static final String LABEL = "sharded_id_label_";

    /** Returns the sum of a column, of the column's own type, which PostgreSQL widens. */
    static String sum(int column) {
        return "cast(pg_catalog.sum(t.c" + column + ") as " + TYPE + column + "_)";
    }

    /** Returns as PostgreSQL divides the sum by the count. */
    static String average(int sum, int count) {
        String type = QUOTIENT + sum + "_";
        return "(cast(pg_catalog.sum(t.c" + sum + ") as " + type + ") / cast(pg_catalog.sum(t.c" + count + ") as "
                + type + "))";
    }

    /** Returns the name of a column of the query, from 1, that PostgreSQL chooses. */
    static String label(int column) {
        return LABEL + column + "_";
    }

    /** Returns whether it depends on the names that PostgreSQL chooses. */
    public boolean needsLabels() {
        return template.contains(LABEL);
    }

    /** Returns whether it has the average of a column, from 1. */
    public boolean averages(int column) {
        return template.contains(QUOTIENT + column + "_");
    }

    /** Returns the query, over columns of these types; {@code names} are those of its own columns, if it needs them. */
    public String sql(List<String> types, List<String> names) {
        String sql = template;
        for (int i = 0; i < types.size(); i++) {
            String quotient = types.get(i).equals("float8") ? "float8" : "numeric";
            sql = sql.replace(TYPE + (i + 1) + "_", "pg_catalog." + types.get(i))
                    .replace(QUOTIENT + (i + 1) + "_", "pg_catalog." + quotient);
        }
        for (int i = 0; i < names.size(); i++) {
            sql = sql.replace(label(i + 1), TableName.quoted(names.get(i)));
        }
        return sql;
    }

    /**
     * The names that PostgreSQL gives to the columns of a query. It chooses those of casts, conditions and operations by rules of its grammar, so
     * it is asked for them, once. Safe for use by several threads.
     */
    public static final class Labels {
        private final SqlAnalysis query;
        private final List<Integer> parameters;
        private volatile @Nullable List<String> known;

        /** With the query as it is written, and which of its parameters, numbered from 1, that has. */
        Labels(SqlAnalysis query, List<Integer> parameters) {
            this.query = query;
            this.parameters = parameters;
        }

        /** Returns a query without rows whose columns have the names. */
        public String sql(String schema) {
            return "(" + query.inSchema(schema) + ") limit 0";
        }

        public List<Integer> parameters() {
            return parameters;
        }

        /** Returns the names; null as long as they are not known. */
        public @Nullable List<String> known() {
            return known;
        }

        public void set(List<String> names) {
            known = List.copyOf(names);
        }
    }
}
