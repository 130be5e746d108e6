package io.github.shardedid.routing.internal.sql.query;

import static java.util.stream.Collectors.joining;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A parsed SELECT that can go to several shards. Immutable; created once per text and shared.
 *
 * @param text the text
 * @param arm what each shard is asked, with the sort keys as further columns, but for ORDER BY and LIMIT
 * @param parameters those that the arm has, in its order
 * @param keys what the rows are sorted by; empty if by nothing
 * @param merge what a database makes of what the shards return, if the query has groups or aggregates; null
 *     otherwise
 * @param limit the tokens behind LIMIT or FETCH, empty for one row; null without
 * @param offset those behind OFFSET; null without
 * @param condition a condition on its tables, which PostgreSQL cannot read unless they are as the query was
 *     checked by; empty if on none
 * @param plans how often statements were planned again
 * @param form all that its statements are made of, but for the shards and the bounds
 */
public record ScatterQuery(
        String text,
        SqlAnalysis arm,
        List<ArmParameter> parameters,
        List<SortKey> keys,
        @Nullable GroupMerge merge,
        @Nullable SqlSpan limit,
        @Nullable SqlSpan offset,
        SqlAnalysis condition,
        int plans,
        String form) {
    /** The most parameters that the driver sends with a statement. */
    public static final int MOST_PARAMETERS = 65_535;

    /** The name of the column of a sort key, before its number. */
    private static final String KEY = "sharded_id_key_";
    // Holds for the one implicit transaction of the statement; compiling a statement of 50 shards takes longer than it
    // runs.
    private static final String SETTINGS =
            "select set_config('transaction_read_only', 'on', true), set_config('jit', 'off', true)";

    /** The savepoint that is set before a statement within a transaction, so that its failure does not end that. */
    private static final String SAVEPOINT = "sharded_id_scatter";

    /** Goes back to before a statement that has failed within a transaction. */
    public static final String UNDO = "rollback to savepoint " + SAVEPOINT + "; release savepoint " + SAVEPOINT;

    /** Returns the name of the column of a sort key. */
    static String key(int index) {
        return KEY + (index + 1);
    }

    /** Returns how many shards one statement can ask, however many are wanted. */
    public int shardsPerStatement(int wanted) {
        return parameters.isEmpty() ? wanted : Math.max(1, Math.min(wanted, MOST_PARAMETERS / parameters.size()));
    }

    /**
     * Returns a query in the way in which the statements are sent: the settings hold for it alone, within a
     * transaction that has written, too.
     *
     * @param local what else it sets, as columns; or empty
     * @param condition of the row with the settings, which has to be readable; or empty
     */
    public static String sent(String sql, boolean withinTransaction, String local, String condition) {
        String all = SETTINGS + (local.isEmpty() ? "" : ", " + local) + condition + "; " + sql;
        return withinTransaction ? "savepoint " + SAVEPOINT + "; " + all + "; release savepoint " + SAVEPOINT : all;
    }

    /**
     * Returns the statement for some schemas.
     *
     * @param most how many rows each returns at most
     * @param local what else it sets, as columns; or empty
     */
    public String sent(List<String> schemas, long most, boolean withinTransaction, String local) {
        String tables = condition.namesSchema()
                ? schemas.stream().map(condition::inSchema).collect(joining(" and ", " where true or (", ")"))
                : "";
        String all = tables + (plans == 0 ? "" : " /* " + plans + " */");
        return sent(inSchemas(schemas, most), withinTransaction, local, all);
    }

    /** Returns what a shard returns, as a table without rows. */
    public String nothing(String schema) {
        return "(" + arm.inSchema(schema) + " limit 0)";
    }

    /**
     * Returns the query for some schemas: one, or a UNION ALL of one arm for each. The order and the limit are
     * in each arm, too, as otherwise the rows of all shards would be sorted.
     */
    String inSchemas(List<String> schemas, long most) {
        String end = orderBy(keys) + " limit " + most;
        if (schemas.size() == 1) {
            return arm.inSchema(schemas.get(0)) + end;
        }
        return schemas.stream()
                        .map(schema -> "(" + arm.inSchema(schema) + end + ")")
                        .collect(joining(" union all "))
                + end;
    }

    /** Returns the ORDER BY; empty without keys. */
    static String orderBy(List<SortKey> keys) {
        return keys.isEmpty()
                ? ""
                : IntStream.range(0, keys.size())
                        .mapToObj(i -> keys.get(i).orderBy(key(i)))
                        .collect(joining(", ", " order by ", ""));
    }
}
