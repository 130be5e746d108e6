package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.UnsupportedStatementException;
import java.util.Set;

/**
 * Refuses escapes of JDBC that hide how a statement is built: the driver removes the braces of <code>insert
 * into {oj photo}</code>. Literals, and a call of a procedure, hide nothing.
 *
 * <p>What decides routing are the tokens of the application's text. What the server receives must have the same
 * ones.
 */
final class JdbcEscapes {
    private static final Set<String> LITERALS = Set.of("D", "T", "TS", "ESCAPE");

    private JdbcEscapes() {}

    /**
     * Checks a text.
     *
     * @throws UnsupportedStatementException if it has such an escape
     */
    static void check(SqlText text) {
        for (int i = 0; i < text.size(); i++) {
            if (text.is(i, "{") && !isReadable(text, i)) {
                throw new UnsupportedStatementException(
                        "The statement cannot be read: the driver rewrites the JDBC escape {" + text.at(i + 1) + " …}: "
                                + SqlText.brief(text.sql())
                                + ". Nothing was sent. Write it in PostgreSQL's SQL, without the escape.");
            }
        }
    }

    /** Returns whether an escape is a literal, or a call at the beginning of the text. */
    private static boolean isReadable(SqlText text, int brace) {
        String word = text.at(brace + 1);
        if (word.equals("CALL") || word.equals("?")) {
            return brace == 0;
        }
        return LITERALS.contains(word) && text.isLiteral(brace + 2) && text.is(brace + 3, "}");
    }
}
