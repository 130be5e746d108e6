package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed SELECT that can go to several shards. Immutable; created once per text and shared.
 *
 * @param text the text
 * @param arm what each shard is asked, with the sort keys as further columns, but for ORDER BY and LIMIT
 * @param armParameters which parameters, numbered from 1, the arm has, in its order
 * @param parameters how many parameters the text has
 * @param keys what the rows are sorted by; empty if by nothing
 * @param aggregates how to merge the columns, if they are aggregates; empty if the query returns rows
 * @param grouping how groups are merged and ordered; null if rows are not grouped
 * @param limit how many rows are wanted
 * @param offset how many rows are to be left out first
 */
public record ScatterQuery(
        String text,
        SqlAnalysis arm,
        List<Integer> armParameters,
        int parameters,
        List<SortKey> keys,
        List<Aggregate> aggregates,
        @Nullable Grouping grouping,
        RowCount limit,
        RowCount offset) {
    private static final int MOST_PARAMETERS = 65_535;
    private static final String KEY = "sharded_id_key_";
    // Holds for the one implicit transaction of the statement; compiling a statement of 50 shards takes longer than it
    // runs.
    private static final String SETTINGS =
            "select set_config('transaction_read_only', 'on', true), set_config('jit', 'off', true); ";

    private static final String SAVEPOINT = "sharded_id_scatter";

    /** How many results come before the rows, within a transaction. */
    public static final int RESULTS_WITHIN = 2;

    /**
     * How groups are merged.
     *
     * @param order what they are sorted by
     * @param texts whether texts are equal if their bytes are: not with a collation that is nondeterministic
     */
    public record Grouping(List<GroupOrder> order, boolean texts) {
        /** Null if a query does not group. */
        static @Nullable Grouping of(Select select, SqlText text, Catalogue catalogue) {
            if (!select.isGrouped()) {
                return null;
            }
            List<GroupOrder> order = new ArrayList<>();
            for (Select.SortItem key : select.order) {
                boolean nullsFirst = key.nullsFirst() == null ? key.descending() : key.nullsFirst();
                order.add(new GroupOrder(column(key.expression(), select, text), key.descending(), nullsFirst));
            }
            return new Grouping(List.copyOf(order), catalogue.of(Catalogue.COLLATIONS) == FunctionKind.PLAIN);
        }

        private static int column(Expression key, Select select, SqlText text) {
            Expression meant = SortKey.resolve(key, select.items, text);
            for (int i = 0; i < select.items.size(); i++) {
                if (select.items.get(i).isMeantBy(meant, List.of())) {
                    return i + 1;
                }
            }
            throw ScatterRefusal.of(
                    "Groups ordered by " + key.span().sql() + ", which is not selected in the same words,",
                    text,
                    "Select it, and order by its number.");
        }
    }

    /** A column of the result, from 1, by which groups are sorted. */
    public record GroupOrder(int column, boolean descending, boolean nullsFirst) {}

    static String key(int index) {
        return KEY + (index + 1);
    }

    /** How many shards one statement can ask, however many are wanted. */
    public int shardsPerStatement(int wanted) {
        return armParameters.isEmpty() ? wanted : Math.max(1, Math.min(wanted, MOST_PARAMETERS / armParameters.size()));
    }

    /** The same within a transaction that has written; the settings hold for the statement alone there, too. */
    public String withinTransaction(List<String> schemas, long most) {
        return "savepoint " + SAVEPOINT + "; " + inSchemas(schemas, most) + "; release savepoint " + SAVEPOINT;
    }

    /** The statement for some schemas; {@code most} is how many rows each returns at most. */
    public String inSchemas(List<String> schemas, long most) {
        String end = orderBy() + (aggregates.isEmpty() || grouping != null ? " limit " + most : "");
        StringBuilder sql = new StringBuilder(SETTINGS);
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
