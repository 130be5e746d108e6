package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.lexer.SqlToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the items of each row that a query gives: those of each SELECT of a union, and of each row of VALUES. */
record QueryRows(SqlText text, QuerySources sources) {
    private static final Set<String> SET_OPERATORS = Set.of("UNION", "INTERSECT", "EXCEPT");
    private static final Set<String> BEHIND_QUERY = Set.of("ORDER", "LIMIT", "OFFSET", "FETCH", "FOR");
    private static final Set<String> AFTER_ITEMS = SqlKeywords.words(
            """
            FROM WHERE GROUP HAVING WINDOW UNION INTERSECT EXCEPT ORDER LIMIT OFFSET FETCH FOR INTO ON RETURNING
            """);

    /** Words that may be names, but behind which a word may also end an expression: {@code x at time zone y}. */
    private static final Set<String> WITHIN_EXPRESSION =
            Set.of("ZONE", "AT", "ESCAPE", "TIME", "WITHOUT", "JSON", "NFC", "NFD", "NFKC", "NFKD");

    /**
     * A row of a query.
     *
     * @param items first and end of each
     * @param sources what its columns may come from
     * @param list whether it is a row of VALUES
     */
    record Row(List<int[]> items, List<QuerySources.Source> sources, boolean list) {}

    /** The rows of the query that begins at a token. */
    List<Row> of(int from, int limit) throws UnreadableWrite {
        List<Row> rows = new ArrayList<>();
        int query = text.is(from, "WITH") ? behindWith(from + 1) : from;
        while (true) {
            int end;
            if (text.is(query, "SELECT")) {
                end = selected(rows, query + 1, limit);
            } else if (text.is(query, "VALUES") && text.is(query + 1, "(")) {
                end = tuples(rows, query + 1);
            } else if (text.is(query, "(")) {
                end = SqlNames.closing(text, query) + 1;
                rows.addAll(of(query + 1, end - 1));
                requireEnd(end, limit);
            } else {
                throw new UnreadableWrite("the query that gives it cannot be read");
            }
            int operator = SqlClauses.end(text, end, limit, SET_OPERATORS);
            if (operator >= limit || !SET_OPERATORS.contains(text.at(operator))) {
                return rows;
            }
            query = text.is(operator + 1, "ALL") || text.is(operator + 1, "DISTINCT") ? operator + 2 : operator + 1;
        }
    }

    /** Whether a word behind a query in parentheses belongs to it: an alias does not. */
    static boolean continuesQuery(SqlText text, int i) {
        return SET_OPERATORS.contains(text.at(i)) || BEHIND_QUERY.contains(text.at(i));
    }

    private void requireEnd(int end, int limit) throws UnreadableWrite {
        boolean ends = end >= limit || Set.of(")", ";", "ON", "RETURNING").contains(text.at(end));
        if (!ends && !continuesQuery(text, end)) {
            throw new UnreadableWrite("what is behind a query in parentheses cannot be read");
        }
    }

    private int behindWith(int from) throws UnreadableWrite {
        int i = text.is(from, "RECURSIVE") ? from + 1 : from;
        while (text.isName(i)) {
            i = text.is(i + 1, "(") ? SqlNames.closing(text, i + 1) + 1 : i + 1;
            int open = sources.bodyOfCte(i);
            if (open < 0) {
                break;
            }
            i = SqlNames.closing(text, open) + 1;
            if (!text.is(i, ",")) {
                return i;
            }
            i++;
        }
        throw new UnreadableWrite("the WITH before its query cannot be read");
    }

    private int selected(List<Row> rows, int from, int limit) throws UnreadableWrite {
        int i = from;
        if (text.is(i, "DISTINCT") && text.is(i + 1, "ON")) {
            i = SqlNames.closing(text, i + 2) + 1;
        } else if (text.is(i, "DISTINCT") || text.is(i, "ALL")) {
            i++;
        }
        int end = SqlClauses.end(text, i, limit, AFTER_ITEMS);
        rows.add(new Row(
                SqlClauses.items(text, i, end), text.is(end, "FROM") ? sources.of(end + 1, limit) : List.of(), false));
        return end;
    }

    private int tuples(List<Row> rows, int from) {
        int i = from;
        while (text.is(i, "(")) {
            int close = SqlNames.closing(text, i);
            rows.add(new Row(SqlClauses.items(text, i + 1, close), List.of(), true));
            i = text.is(close + 1, ",") ? close + 2 : close + 1;
        }
        return i;
    }

    /** Whether an item stands for an unknown number of columns. */
    boolean isStar(int[] item) {
        return text.is(item[1] - 1, "*") && (item[1] - item[0] == 1 || text.is(item[1] - 2, "."));
    }

    /** Where an item of a select list ends before its alias. */
    int endBeforeLabel(int from, int end) {
        if (end - from > 2 && SqlClauses.isLabel(text, end - 1) && text.is(end - 2, "AS")) {
            return end - 2;
        }
        boolean bare = end - from > 1
                && SqlKeywords.isBareLabel(text, end - 1)
                && !text.is(end - 1, "END")
                && !text.is(end - 2, ".")
                && endsOperand(end - 2);
        return bare ? end - 1 : end;
    }

    private boolean endsOperand(int i) {
        return text.kind(i) == SqlToken.Kind.LITERAL
                || (SqlKeywords.isColumnName(text, i) && !text.is(i, "OVER") && !WITHIN_EXPRESSION.contains(text.at(i)))
                || text.is(i, "NULL")
                || text.is(i, "?")
                || (text.is(i, ")") && !text.is(SqlNames.opening(text, i - 1) - 1, "OPERATOR"))
                || text.is(i, "]");
    }

    /** The names of the columns that the items of a row become; empty where they are not plain. */
    List<String> labels(Row row) {
        List<String> labels = new ArrayList<>();
        for (int[] item : row.items) {
            labels.add(row.list ? "column" + (labels.size() + 1) : label(item));
        }
        return labels;
    }

    private String label(int[] item) {
        boolean named = item[1] > item[0] && text.isName(item[1] - 1);
        return named && (isColumn(item) || endBeforeLabel(item[0], item[1]) < item[1])
                ? SqlNames.folded(text, item[1] - 1)
                : "";
    }

    /** Whether an item is a column alone. The last part of {@code f(x)::schema.type} names nothing. */
    private boolean isColumn(int[] item) {
        for (int i = item[0]; i < item[1]; i++) {
            boolean dot = (i - item[0]) % 2 == 1;
            if (dot ? !text.is(i, ".") : !text.isName(i)) {
                return false;
            }
        }
        return true;
    }
}
