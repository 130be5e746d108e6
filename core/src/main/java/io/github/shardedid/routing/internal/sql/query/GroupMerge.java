package io.github.shardedid.routing.internal.sql.query;

import java.util.List;

/**
 * What a database makes of the rows that shards return for a query with groups or aggregates: each shard's groups, by all columns of these.
 *
 * @param template the query over {@code t(c1, …)}, in which the types of columns are still open
 * @param parameters which of the query's parameters, numbered from 1, it has, in its order
 * @param ordered whether its rows have an order, or are one
 */
public record GroupMerge(String template, List<Integer> parameters, boolean ordered) {
    private static final String TYPE = "sharded_id_type_";
    private static final String QUOTIENT = "sharded_id_quotient_";

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

    /** Returns whether it has the average of a column, from 1. */
    public boolean averages(int column) {
        return template.contains(QUOTIENT + column + "_");
    }

    /** Returns the query, over columns of these types. */
    public String sql(List<String> types) {
        String sql = template;
        for (int i = 0; i < types.size(); i++) {
            String quotient = types.get(i).equals("float8") ? "float8" : "numeric";
            sql = sql.replace(TYPE + (i + 1) + "_", "pg_catalog." + types.get(i))
                    .replace(QUOTIENT + (i + 1) + "_", "pg_catalog." + quotient);
        }
        return sql;
    }
}
