package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.UnreadableStatementException;
import java.util.Set;

/**
 * Refuses escapes of JDBC that hide how a statement is built: the driver removes the braces of <code>insert into {oj photo}</code>.
 * Literals, a call of a procedure, and calls of functions within expressions hide nothing.
 */
final class JdbcEscapes {
    private static final Set<String> LITERALS = Set.of("D", "T", "TS", "ESCAPE");
    private static final Set<String> BEFORE_EXPRESSION = SqlKeywords.words(
            """
            SELECT DISTINCT ALL WHERE AND OR NOT BY HAVING ON CASE WHEN THEN ELSE IN LIKE ILIKE BETWEEN LIMIT OFFSET RETURNING
            """);

    private JdbcEscapes() {}

    /**
     * Checks a text.
     *
     * @throws UnreadableStatementException if it has such an escape
     */
    static void check(SqlText text) {
        for (int i = 0; i < text.size(); i++) {
            if (text.is(i, "{") && !isReadable(text, i)) {
                throw new UnreadableStatementException(
                        "The statement cannot be read: the driver rewrites the JDBC escape {" + text.at(i + 1) + " …}: "
                                + SqlText.brief(text.sql())
                                + ". Nothing was sent. Write it in PostgreSQL's SQL, without the escape.");
            }
        }
    }

    private static boolean isReadable(SqlText text, int brace) {
        String word = text.at(brace + 1);
        if (word.equals("CALL") || word.equals("?")) {
            return brace == 0;
        } else if (LITERALS.contains(word)) {
            return text.isLiteral(brace + 2) && text.is(brace + 3, "}");
        }
        return word.equals("FN") && isCall(text, brace);
    }

    /** Returns whether this is one call, where an expression may stand, and no WITH query. */
    private static boolean isCall(SqlText text, int brace) {
        boolean begins = brace > 0
                && (BEFORE_EXPRESSION.contains(text.at(brace - 1))
                        || (text.isSymbol(brace - 1)
                                && !Set.of(")", "]", "}", "?", ";").contains(text.at(brace - 1))));
        if (!begins || !text.isName(brace + 2) || !text.is(brace + 3, "(")) {
            return false;
        }
        int end = text.closing(brace + 3) + 1;
        boolean defines = text.is(end + 1, "AS")
                && (text.is(end + 2, "(") || text.is(end + 2, "NOT") || text.is(end + 2, "MATERIALIZED"));
        return text.is(end, "}") && !defines;
    }
}
