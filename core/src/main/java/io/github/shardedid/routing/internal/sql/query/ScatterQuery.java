package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parsed SELECT that can go to several shards. Immutable; created once per text and shared.
 *
 * @param text the text
 * @param arm what each shard is asked, with the sort keys as further columns, but for ORDER BY and LIMIT
 * @param armParameters which parameters, numbered from 1, the arm has, in its order
 * @param ownIds which parameters are needed only by the shard whose id is their value, as elements of a list
 * @param parameters how many parameters the text has
 * @param keys what the rows are sorted by; empty if by nothing
 * @param aggregates how to merge the columns, if they are nothing but simple aggregates; empty otherwise
 * @param merge what a database makes of what the shards return, if the query has groups or aggregates; null otherwise
 * @param limit how many rows are wanted
 * @param offset how many rows are to be left out first
 */
public record ScatterQuery(
        String text,
        SqlAnalysis arm,
        List<Integer> armParameters,
        Set<Integer> ownIds,
        int parameters,
        List<SortKey> keys,
        List<Aggregate> aggregates,
        @Nullable GroupMerge merge,
        RowCount limit,
        RowCount offset) {
    private static final int MOST_PARAMETERS = 65_535;
    private static final String KEY = "sharded_id_key_";
    // Holds for the one implicit transaction of the statement; compiling a statement of 50 shards takes longer than it
    // runs.
    private static final String SETTINGS =
            "select set_config('transaction_read_only', 'on', true), set_config('jit', 'off', true)";

    private static final String SAVEPOINT = "sharded_id_scatter";

    static String key(int index) {
        return KEY + (index + 1);
    }

    /** How many shards one statement can ask, however many are wanted. */
    public int shardsPerStatement(int wanted) {
        return armParameters.isEmpty() ? wanted : Math.max(1, Math.min(wanted, MOST_PARAMETERS / armParameters.size()));
    }

    /**
     * A query in the way in which the statements are sent: the settings hold for it alone, within a transaction that has written, too.
     *
     * @param local what else it sets, as columns; or empty
     */
    public static String sent(String sql, boolean withinTransaction, String local) {
        String all = SETTINGS + (local.isEmpty() ? "; " : ", " + local + "; ") + sql;
        return withinTransaction ? "savepoint " + SAVEPOINT + "; " + all + "; release savepoint " + SAVEPOINT : all;
    }

    /** Goes back to before a statement that has failed within a transaction. */
    public static final String UNDO = "rollback to savepoint " + SAVEPOINT + "; release savepoint " + SAVEPOINT;

    /** How many results come before the rows. */
    public static int resultsBefore(boolean withinTransaction) {
        return withinTransaction ? 2 : 1;
    }

    /** Whether a database merges groups. */
    public boolean isGrouped() {
        return merge != null && aggregates.isEmpty();
    }

    /** What a shard returns, as a table without rows. */
    public String nothing(String schema) {
        return "(" + arm.inSchema(schema) + " limit 0)";
    }

    /** The statement for some schemas; {@code most} is how many rows each returns at most. */
    public String inSchemas(List<String> schemas, long most) {
        StringBuilder sql = new StringBuilder();
        String end = orderBy() + (aggregates.isEmpty() ? " limit " + most : "");
        if (schemas.size() == 1) {
            return sql.append(arm.inSchema(schemas.get(0))).append(end).toString();
        }
        String separator = "";
        for (String schema : schemas) {
            sql.append(separator)
                    .append('(')
                    .append(arm.inSchema(schema))
                    .append(end)
                    .append(')');
            separator = " union all ";
        }
        return sql.append(end).toString();
    }

    private String orderBy() {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < keys.size(); i++) {
            sql.append(i == 0 ? " order by " : ", ").append(keys.get(i).orderBy(key(i)));
        }
        return sql.toString();
    }
}
