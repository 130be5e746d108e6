package io.github.shardedid.routing.internal.sql.lexer;

import io.github.shardedid.routing.UnreadableStatementException;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a SQL text into tokens by PostgreSQL's lexical rules, with {@code standard_conforming_strings} on, after the driver has
 * replaced {@code ?} and {@code ??}. Comments and white space are dropped. A text that ends within a token, or that the driver
 * cuts differently, is refused.
 */
public final class SqlTokenizer {
    private static final String OPERATORS = "~!@#^&|`?+-*/%<>=";
    /** With one of these in it, an operator may end with + or -. */
    private static final String ENDING_FREELY = "~!@#^&|`?%";

    private final String sql;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int position;

    private SqlTokenizer(String sql) {
        this.sql = sql;
    }

    /**
     * The tokens of a text.
     *
     * @throws UnreadableStatementException if it ends within a token, or the driver and the server would read it differently
     */
    public static List<SqlToken> tokens(String sql) {
        SqlTokenizer tokenizer = new SqlTokenizer(sql);
        try {
            tokenizer.run();
        } catch (UnreadableSql e) {
            throw new UnreadableStatementException("The statement cannot be read: " + e.getMessage() + ", at position "
                    + (e.position + 1) + ": " + SqlText.brief(sql) + ". Nothing was sent.");
        }
        return tokenizer.tokens;
    }

    /** The tokens up to the first one that cannot be read; for messages. */
    static List<SqlToken> readable(String sql) {
        SqlTokenizer tokenizer = new SqlTokenizer(sql);
        try {
            tokenizer.run();
        } catch (UnreadableSql e) {
            // The message that is being written says so, or is about something else.
        }
        return tokenizer.tokens;
    }

    public static boolean isOperator(String symbol) {
        return OPERATORS.indexOf(symbol.charAt(0)) >= 0;
    }

    private void run() throws UnreadableSql {
        position = SqlBlanks.end(sql, 0);
        while (position < sql.length()) {
            int start = position;
            SqlToken.Kind kind = next();
            tokens.add(new SqlToken(kind, start, position));
            position = SqlBlanks.end(sql, position);
        }
    }

    private SqlToken.Kind next() throws UnreadableSql {
        char c = sql.charAt(position);
        if (SqlBlanks.isWordStart(c)) {
            return wordOrPrefixed(c);
        } else if (c == '\'') {
            position = SqlQuotes.literalEnd(sql, position, position);
            return SqlToken.Kind.LITERAL;
        } else if (c == '"') {
            position = SqlQuotes.identifierEnd(sql, position, position);
            return SqlToken.Kind.QUOTED;
        } else if (c == '$') {
            return dollar();
        } else if (SqlNumbers.startsAt(sql, position)) {
            position = SqlNumbers.end(sql, position);
            return SqlToken.Kind.LITERAL;
        }
        position = symbolEnd(c);
        return SqlToken.Kind.SYMBOL;
    }

    private SqlToken.Kind wordOrPrefixed(char c) throws UnreadableSql {
        boolean quote = at(position + 1) == '\'';
        boolean unicode = (c == 'u' || c == 'U') && at(position + 1) == '&';
        if (unicode && at(position + 2) == '"') {
            position = SqlQuotes.unicodeIdentifierEnd(sql, position);
            return SqlToken.Kind.QUOTED;
        } else if ((quote && "bBeExXnN".indexOf(c) >= 0) || (unicode && at(position + 2) == '\'')) {
            position = SqlQuotes.literalEnd(sql, position, position + (unicode ? 2 : 1));
            return SqlToken.Kind.LITERAL;
        }
        while (position < sql.length() && SqlBlanks.isWordPart(sql.charAt(position))) {
            position++;
            if (at(position) == '$' && !Character.isJavaIdentifierPart(sql.charAt(position - 1))) {
                throw new UnreadableSql(
                        position, "the driver takes the $ in this identifier for the beginning of a literal");
            }
        }
        return SqlToken.Kind.WORD;
    }

    private SqlToken.Kind dollar() throws UnreadableSql {
        if (SqlBlanks.isDigit(at(position + 1))) {
            position = SqlNumbers.digits(sql, position + 1);
            return SqlToken.Kind.SYMBOL;
        }
        position = SqlQuotes.dollarQuoteEnd(sql, position);
        return SqlToken.Kind.LITERAL;
    }

    private int symbolEnd(char c) throws UnreadableSql {
        String two = sql.substring(position, Math.min(position + 2, sql.length()));
        if (two.equals("::") || two.equals(":=") || two.equals("..")) {
            return position + 2;
        } else if (c == '?' && !two.equals("??")) {
            requireApart();
            return position + 1;
        }
        return OPERATORS.indexOf(c) < 0 ? position + 1 : operatorEnd();
    }

    /** The driver puts {@code $1} in the place of a parameter, which must not join what is next to it. */
    private void requireApart() throws UnreadableSql {
        boolean joins = (position > 0 && SqlBlanks.isWordPart(sql.charAt(position - 1)))
                || SqlBlanks.isWordPart(at(position + 1));
        if (joins) {
            throw new UnreadableSql(
                    position, "a parameter directly beside a word or a number; put a space between them");
        }
    }

    private int operatorEnd() {
        int end = position;
        boolean endsFreely = false;
        while (OPERATORS.indexOf(at(end)) >= 0 && !SqlBlanks.isComment(sql, end)) {
            boolean question = at(end) == '?';
            if (question && at(end + 1) != '?') {
                break;
            }
            endsFreely |= end > position && ENDING_FREELY.indexOf(at(end - 1)) >= 0;
            end += question ? 2 : 1;
        }
        while (!endsFreely && end - position > 1 && (at(end - 1) == '+' || at(end - 1) == '-')) {
            end--;
        }
        return end;
    }

    /** Of no operator where the text has ended, which {@code indexOf} of NUL does not find either. */
    private char at(int index) {
        return index < sql.length() ? sql.charAt(index) : '\0';
    }
}
