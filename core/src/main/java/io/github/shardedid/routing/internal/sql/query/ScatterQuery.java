package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed SELECT that can go to several shards. Immutable; created once per text and shared.
 *
 * @param text the text
 * @param arm what each shard is asked, with the sort keys as further columns, but for ORDER BY and LIMIT
 * @param armParameters which parameters, numbered from 1, the arm has, in its order
 * @param idLists the parameters that are lists of ids, of which a shard needs its own
 * @param keys what the rows are sorted by; empty if by nothing
 * @param counts whether all columns are counts, of which there is one row
 * @param merge what a database makes of what the shards return, if the query has groups or aggregates; null otherwise
 * @param limit how many rows are wanted
 * @param offset how many rows are to be left out first
 * @param ofRoots whether these are not rows of the result, but of the subselect with which its FROM begins
 * @param assumptions what it was checked by
 */
public record ScatterQuery(
        String text,
        SqlAnalysis arm,
        List<Integer> armParameters,
        List<Locality.IdList> idLists,
        List<SortKey> keys,
        boolean counts,
        @Nullable GroupMerge merge,
        RowCount limit,
        RowCount offset,
        boolean ofRoots,
        Assumptions assumptions) {
    /** Of a statement, for the driver. */
    public static final int MOST_PARAMETERS = 65_535;

    private static final String KEY = "sharded_id_key_";
    // Holds for the one implicit transaction of the statement; compiling a statement of 50 shards takes longer than it
    // runs.
    private static final String SETTINGS =
            "select set_config('transaction_read_only', 'on', true), set_config('jit', 'off', true)";

    /** The number of hidden columns before the sort keys that tell apart the rows of the subselect that has the limit. */
    public static final int ROOT_COLUMNS = PagedRoots.COLUMNS;

    private static final String SAVEPOINT = "sharded_id_scatter";

    static String key(int index) {
        return KEY + (index + 1);
    }

    /** Returns how many shards one statement can ask, however many are wanted. */
    public int shardsPerStatement(int wanted) {
        return armParameters.isEmpty() ? wanted : Math.max(1, Math.min(wanted, MOST_PARAMETERS / armParameters.size()));
    }

    /**
     * Returns a query in the way in which the statements are sent: the settings hold for it alone, within a transaction that has written, too.
     *
     * @param settings further columns, and a condition
     */
    private static String sent(String settings, String sql, boolean withinTransaction) {
        String all = SETTINGS + settings + "; " + sql;
        return withinTransaction ? "savepoint " + SAVEPOINT + "; " + all + "; release savepoint " + SAVEPOINT : all;
    }

    /**
     * Returns a query over what shards have returned.
     *
     * @param local what else it sets, as columns; or empty
     */
    public static String sent(String sql, boolean withinTransaction, String local) {
        return sent(columns(local), sql, withinTransaction);
    }

    private static String columns(String local) {
        return local.isEmpty() ? "" : ", " + local;
    }

    /**
     * Returns the statement for some schemas.
     *
     * @param most how many rows each returns at most
     * @param roots how many rows its subselect returns, if that has the limit
     * @param local what else it sets, as columns; or empty
     */
    public String sent(List<String> schemas, long most, long roots, boolean withinTransaction, String local) {
        String settings = assumptions.column() + columns(local) + assumptions.condition(schemas);
        return sent(settings, inSchemas(schemas, most).replace(PagedRoots.LIMIT, "limit " + roots), withinTransaction);
    }

    /** Which column of the settings has the functions of the query's names; there is none unless it calls some. */
    public static final int FUNCTIONS = 3;

    /** Returns the lists of ids that are to be arrays: by their parameters, how many tokens the columns take that they are compared with. */
    public Map<Integer, Integer> listsOfIds() {
        return idLists.stream().collect(Collectors.toMap(Locality.IdList::parameter, Locality.IdList::column));
    }

    /** Goes back to before a statement that has failed within a transaction. */
    public static final String UNDO = "rollback to savepoint " + SAVEPOINT + "; release savepoint " + SAVEPOINT;

    /** Returns what a shard returns, as a table without rows. */
    public String nothing(String schema) {
        return "(" + arm.inSchema(schema) + " limit 0)";
    }

    String inSchemas(List<String> schemas, long most) {
        StringBuilder sql = new StringBuilder();
        String end = orderBy() + " limit " + most;
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
