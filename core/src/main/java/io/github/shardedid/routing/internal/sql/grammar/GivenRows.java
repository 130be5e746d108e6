package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a statement does not read from a table: those of VALUES, of {@code unnest(…)}, and of a SELECT
 * without a table. A condition that compares an id with such a column compares it with the values from which
 * the rows are made, so that these decide the shards.
 *
 * @param columns for each column, what its values are computed from
 * @param names those of the columns, as far as the rows themselves name them
 */
public record GivenRows(List<List<Expression>> columns, List<String> names) {
    /** The functions that make rows of their arguments, and read nothing else. */
    private static final Set<String> FUNCTIONS = Set.of(
            "unnest",
            "generate_series",
            "string_to_table",
            "regexp_split_to_table",
            "json_array_elements",
            "json_array_elements_text",
            "json_to_recordset",
            "json_populate_recordset",
            "jsonb_array_elements",
            "jsonb_array_elements_text",
            "jsonb_to_recordset",
            "jsonb_populate_recordset");

    /** Returns the rows that begin at a token; null if it reads tables, or is of a form that is not known. */
    public static @Nullable GivenRows at(SqlText text, int start) {
        SqlCursor cursor = new SqlCursor(text);
        cursor.position = start;
        SelectReader reader = new SelectReader(cursor);
        try {
            if (cursor.accept("VALUES")) {
                return ofValues(cursor, new ExpressionReader(cursor, reader));
            } else if (cursor.is("SELECT")) {
                return ofSelect(reader.read());
            }
            Expression call = new ExpressionReader(cursor, reader).operand(true);
            return call.is(Kind.CALL) ? ofCall(call) : null;
        } catch (UnmergeableQueryException unknown) {
            return null;
        }
    }

    /** Reads the rows of VALUES. A column is computed from the expressions of all rows. */
    private static GivenRows ofValues(SqlCursor cursor, ExpressionReader expressions) {
        List<List<Expression>> columns = new ArrayList<>();
        do {
            cursor.expect("(");
            List<Expression> row = expressions.list();
            cursor.expect(")");
            for (int i = 0; i < row.size(); i++) {
                if (i == columns.size()) {
                    columns.add(new ArrayList<>());
                }
                columns.get(i).add(row.get(i));
            }
        } while (cursor.accept(","));
        return new GivenRows(columns, List.of());
    }

    /** Returns the rows of a SELECT; null if it reads a table. */
    private static @Nullable GivenRows ofSelect(Select select) {
        boolean table = select.from.stream()
                .anyMatch(item -> !(item instanceof FromItem.Function function) || ofCall(function.call()) == null);
        if (table || select.items.isEmpty() || !select.further.isEmpty()) {
            return null;
        }
        return new GivenRows(
                select.items.stream().map(item -> unnested(item.expression())).toList(),
                select.items.stream().map(item -> String.valueOf(item.name())).toList());
    }

    private static List<Expression> unnested(Expression item) {
        GivenRows rows = item.is(Kind.CALL) ? ofCall(item) : null;
        return rows == null ? List.of(item) : rows.columns.get(0);
    }

    /**
     * Returns the rows of a call; null if the function may read something else. {@code unnest} has a column for
     * each argument.
     */
    private static @Nullable GivenRows ofCall(Expression call) {
        if (!FUNCTIONS.contains(call.name())) {
            return null;
        }
        List<Expression> columns = call.name().equals("unnest") ? call.parts() : List.of(call);
        return new GivenRows(columns.stream().map(List::of).toList(), List.of());
    }
}
