package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Where the clauses of a statement end, and the items of its lists. */
public final class SqlClauses {
    private SqlClauses() {}

    /**
     * The first of these words that begins a clause: outside of parentheses and CASE, and neither an alias nor the name of a
     * column. Else the parenthesis or semicolon that ends the statement, or {@code limit}.
     */
    static int end(SqlText text, int from, int limit, Set<String> words) throws UnreadableWrite {
        int cases = 0;
        int i = from;
        while (i < limit && !text.is(i, ")") && !text.is(i, "]") && !text.is(i, ";")) {
            if (SqlNames.depthChange(text, i) > 0) {
                i = SqlNames.closing(text, i);
            } else if (text.is(i, "CASE") && !isLabel(text, i)) {
                cases++;
            } else if (text.is(i, "END") && !isLabel(text, i)) {
                cases = Math.max(0, cases - 1);
            } else if (words.contains(text.at(i)) && !isLabel(text, i) && !isWithinExpression(text, i, cases)) {
                if (cases > 0) {
                    throw new UnreadableWrite("CASE without END is before " + text.at(i));
                }
                return i;
            }
            i++;
        }
        if (cases > 0) {
            throw new UnreadableWrite("CASE has no END");
        }
        return Math.min(i, limit);
    }

    /** The word of an operator, an aggregate or a CASE. */
    private static boolean isWithinExpression(SqlText text, int i, int cases) {
        return switch (text.at(i)) {
            case "FROM" -> text.is(i - 1, "DISTINCT") && (text.is(i - 2, "IS") || text.is(i - 2, "NOT"));
            case "GROUP" -> text.is(i - 1, "WITHIN");
            case "WHEN" -> cases > 0;
            default -> false;
        };
    }

    /** Whether a word is a name in spite of what it means elsewhere: an alias behind AS, or behind a dot. */
    public static boolean isLabel(SqlText text, int i) {
        return text.is(i - 1, ".") || (text.is(i - 1, "AS") && !isLabel(text, i - 1));
    }

    /** First and end of each piece between commas. */
    static List<int[]> items(SqlText text, int from, int end) {
        List<int[]> items = new ArrayList<>();
        int start = from;
        for (int i = from; i < end; i++) {
            if (SqlNames.depthChange(text, i) > 0) {
                i = SqlNames.closing(text, i);
            } else if (text.is(i, ",")) {
                items.add(new int[] {start, i});
                start = i + 1;
            }
        }
        items.add(new int[] {start, end});
        return items;
    }

    /** Whether a query begins at a token, perhaps with parentheses. */
    static boolean opensQuery(SqlText text, int from) {
        int i = SqlNames.behindOpening(text, from);
        return text.is(i, "SELECT")
                || text.is(i, "WITH")
                || text.is(i, "TABLE")
                || (text.is(i, "VALUES") && text.is(i + 1, "("));
    }
}
