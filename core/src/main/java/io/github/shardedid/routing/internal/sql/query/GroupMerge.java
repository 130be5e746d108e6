package io.github.shardedid.routing.internal.sql.query;

import java.util.List;

/**
 * The query by which a database merges the rows that shards return for a query with groups or aggregates: each
 * shard's groups, by all columns of these. Immutable.
 *
 * <p>It is a template, since the types of the columns are known only when shards have answered. They matter:
 * the sum of counts must not become {@code numeric}, and a quotient of sums must be rounded as an average is.
 *
 * @param template the query over {@code t(c1, …)}, in which the types of columns are still open
 * @param parameters which of the query's parameters, numbered from 1, it has, in its order
 * @param ordered whether its rows have an order, or are one
 */
public record GroupMerge(String template, List<Integer> parameters, boolean ordered) {
    /** Stands for the type of a column, before its number. */
    private static final String TYPE = "sharded_id_type_";
    /** Stands for the type in which an average is divided, before the number of its sum's column. */
    private static final String QUOTIENT = "sharded_id_quotient_";

    /** Returns the sum of a column, of the column's own type, which PostgreSQL widens. */
    static String sum(int column) {
        return "cast(pg_catalog.sum(t.c" + column + ") as " + TYPE + column + "_)";
    }

    /**
     * Returns the quotient of a sum and a count, as PostgreSQL divides them.
     *
     * @param sum the column of the sums, from 1
     * @param count the column of the counts, from 1
     */
    static String average(int sum, int count) {
        String type = QUOTIENT + sum + "_";
        return "(cast(pg_catalog.sum(t.c" + sum + ") as " + type + ") / cast(pg_catalog.sum(t.c" + count + ") as "
                + type + "))";
    }

    /** Returns whether the query has the average of a column, which is numbered from 1. */
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
