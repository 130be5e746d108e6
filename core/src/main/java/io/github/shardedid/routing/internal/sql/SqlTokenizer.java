package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.UnsupportedStatementException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a SQL text into tokens by PostgreSQL's lexical rules, with {@code standard_conforming_strings} on, after
 * the driver has replaced {@code ?} and {@code ??}. What decides routing are the tokens, so a text that the
 * driver would cut differently than the server, or that ends within a token, is refused:
 *
 * <ol>
 *   <li>White space and comments, which nest, are dropped.
 *   <li>The driver does not see that an {@code E'…'} directly behind another token has escapes. A literal that
 *       goes on in another line, and a name with escapes, are refused, as hardly anybody writes them.
 *   <li>The tag of {@code $tag$ … $tag$} is of ASCII: PostgreSQL and Java do not agree on other identifiers.
 *   <li>A parameter must not touch a word or a number, as the driver writes {@code $1} there.
 *   <li>An operator is as long as can be, but ends with + or - only if it has certain other characters.
 * </ol>
 */
final class SqlTokenizer {
    static final String OPERATORS = "~!@#^&|`?+-*/%<>=";

    /** The characters with one of which an operator may end with + or -. */
    private static final String ENDING_FREELY = "~!@#^&|`?%";

    private static final String DIGITS = "[0-9](?:_?[0-9])*+";
    private static final Pattern INTEGER = Pattern.compile(DIGITS);

    /**
     * {@code 1}, {@code 1.}, {@code .5e-3}, {@code 0xFF}, {@code 1_000}; but {@code 1..2} is a range of whole
     * numbers.
     */
    private static final Pattern NUMBER =
            Pattern.compile("0[xX](?:_?[0-9a-fA-F])++|0[oO](?:_?[0-7])++|0[bB](?:_?[01])++|(?:" + DIGITS
                    + "(?:\\.(?!\\.)(?:" + DIGITS + ")?+)?+|\\." + DIGITS + ")(?:[eE][-+]?" + DIGITS + ")?+");

    /** The white space and the comments behind which a literal goes on: with an end of a line. */
    private static final Pattern CONTINUED =
            Pattern.compile("(?:[ \\t\\x0B\\f]|--[^\\r\\n]*+)*+[\\r\\n](?:[ \\t-\\r]|--[^\\r\\n]*+)*+'");

    /** White space, and comments up to the end of a line, which may be a carriage return. */
    private static final Pattern BLANKS = Pattern.compile("(?:[ \\t-\\r]|--[^\\r\\n]*+)*+");

    /** What is in quotes, of which a doubled one closes nothing. */
    private static final Pattern IDENTIFIER = Pattern.compile("\"(?:[^\"]++|\"\")*+\"");

    private static final Pattern STRING = Pattern.compile("'(?:[^']++|'')*+'");
    private static final Pattern STRING_WITH_ESCAPES = Pattern.compile("(?s)'(?:[^'\\\\]++|''|\\\\.)*+'");

    private static final Pattern TAG = Pattern.compile("\\$(?:[a-zA-Z_][a-zA-Z_0-9]*)?\\$");

    private final String sql;
    private final List<SqlText.Token> tokens = new ArrayList<>();
    private int position;

    private SqlTokenizer(String sql) {
        this.sql = sql;
    }

    /** A fault of a text, and where it is. */
    @SuppressWarnings("serial") // never leaves this class
    private static final class Unreadable extends Exception {
        final int position;

        Unreadable(int position, String what) {
            super(what, null, false, false);
            this.position = position;
        }
    }

    /**
     * Returns the tokens.
     *
     * @param brief whether it is for a message: then only those up to the first one that cannot be read
     */
    static List<SqlText.Token> tokens(String sql, boolean brief) {
        SqlTokenizer tokenizer = new SqlTokenizer(sql);
        try {
            tokenizer.run();
        } catch (Unreadable e) {
            if (!brief) {
                throw new UnsupportedStatementException("The statement cannot be read: " + e.getMessage()
                        + ", at position " + (e.position + 1) + ": " + SqlText.brief(sql) + ". Nothing was sent.");
            }
        }
        return tokenizer.tokens;
    }

    static boolean isNumber(String sql, int start) {
        int digit = sql.charAt(start) == '.' ? start + 1 : start;
        return digit < sql.length() && isDigit(sql.charAt(digit));
    }

    private void run() throws Unreadable {
        position = blanksEnd(0);
        while (position < sql.length()) {
            int start = position;
            SqlText.Kind kind = next();
            tokens.add(new SqlText.Token(kind, start, position));
            position = blanksEnd(position);
        }
    }

    private SqlText.Kind next() throws Unreadable {
        char c = at(position);
        if (isWordStart(c)) {
            return wordOrPrefixed(c);
        } else if (c == '\'') {
            position = literalEnd(position, position);
            return SqlText.Kind.LITERAL;
        } else if (c == '"') {
            position = quotedEnd(IDENTIFIER, position, position, "a quoted identifier");
            return SqlText.Kind.QUOTED;
        } else if (c == '$') {
            return dollar();
        } else if (isNumber(sql, position)) {
            position = end(NUMBER, position);
            return SqlText.Kind.LITERAL;
        }
        position = symbolEnd(c);
        return SqlText.Kind.SYMBOL;
    }

    private int end(Pattern pattern, int start) {
        Matcher matcher = pattern.matcher(sql).region(start, sql.length());
        return matcher.lookingAt() ? matcher.end() : start + 1;
    }

    private SqlText.Kind wordOrPrefixed(char c) throws Unreadable {
        boolean quote = at(position + 1) == '\'';
        boolean unicode = (c == 'u' || c == 'U') && at(position + 1) == '&';
        if (unicode && at(position + 2) == '"') {
            throw new Unreadable(position, "a name with escapes, U&\"…\"; write it in quotes as it is");
        } else if ((quote && "bBeExXnN".indexOf(c) >= 0) || (unicode && at(position + 2) == '\'')) {
            position = literalEnd(position, position + (unicode ? 2 : 1));
            return SqlText.Kind.LITERAL;
        }
        while (isWordPart(at(position))) {
            position++;
            if (at(position) == '$' && !Character.isJavaIdentifierPart(at(position - 1))) {
                throw new Unreadable(
                        position, "the driver takes the $ in this identifier for the beginning of a literal");
            }
        }
        return SqlText.Kind.WORD;
    }

    private SqlText.Kind dollar() throws Unreadable {
        if (isDigit(at(position + 1))) {
            position = end(INTEGER, position + 1);
            return SqlText.Kind.SYMBOL;
        }
        position = dollarQuoteEnd(position);
        return SqlText.Kind.LITERAL;
    }

    private int symbolEnd(char c) throws Unreadable {
        String two = sql.substring(position, Math.min(position + 2, sql.length()));
        if (two.equals("::") || two.equals(":=") || two.equals("..")) {
            return position + 2;
        } else if (c == '?' && !two.equals("??")) {
            if (isWordPart(at(position - 1)) || isWordPart(at(position + 1))) {
                throw new Unreadable(
                        position, "a parameter directly beside a word or a number; put a space between them");
            }
            return position + 1;
        }
        return OPERATORS.indexOf(c) < 0 ? position + 1 : operatorEnd();
    }

    private int operatorEnd() {
        int end = position;
        boolean endsFreely = false;
        while (OPERATORS.indexOf(at(end)) >= 0 && !isComment(end)) {
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

    /** Returns NUL beyond either end of the text, which is part of nothing. */
    private char at(int index) {
        return index >= 0 && index < sql.length() ? sql.charAt(index) : '\0';
    }

    /** Returns the position behind the white space and the comments that begin here. */
    private int blanksEnd(int from) throws Unreadable {
        int end = end(BLANKS, from);
        while (sql.startsWith("/*", end)) {
            end = end(BLANKS, commentEnd(end));
        }
        return end;
    }

    private boolean isComment(int index) {
        return sql.startsWith("--", index) || sql.startsWith("/*", index);
    }

    private int commentEnd(int start) throws Unreadable {
        int depth = 0;
        int end = start;
        while (end < sql.length()) {
            boolean opens = sql.startsWith("/*", end);
            boolean closes = sql.startsWith("*/", end);
            depth += opens ? 1 : closes ? -1 : 0;
            end += opens || closes ? 2 : 1;
            if (depth == 0) {
                return end;
            }
        }
        throw new Unreadable(start, "a comment is not closed");
    }

    /** Returns the end of a literal that begins at {@code start}, with a prefix or with its quote. */
    private int literalEnd(int start, int quote) throws Unreadable {
        boolean escapes = (at(start) | 0x20) == 'e' && quote == start + 1;
        int end = quotedEnd(escapes ? STRING_WITH_ESCAPES : STRING, quote, start, "a literal");
        if (escapes && !endsWord(at(start - 1)) && sql.substring(quote, end).indexOf('\\') >= 0) {
            throw new Unreadable(quote, "the driver does not see that this literal has escapes");
        } else if (CONTINUED.matcher(sql).region(end, sql.length()).lookingAt()) {
            throw new Unreadable(end, "a literal goes on in another line; write it in one piece");
        }
        return end;
    }

    /** Returns whether the driver expects the E of {@code E'…'} behind a character. */
    private static boolean endsWord(char c) {
        return c == '"' || isSpace(c) || ",()[].;:+-*/%^<>=~!@#&|`?".indexOf(c) >= 0;
    }

    /** Returns the position behind the closing quote. */
    private int quotedEnd(Pattern quoted, int quote, int start, String what) throws Unreadable {
        Matcher matcher = quoted.matcher(sql).region(quote, sql.length());
        if (!matcher.lookingAt()) {
            throw new Unreadable(start, what + " is not closed");
        }
        return matcher.end();
    }

    /** Returns the end of {@code $tag$ … $tag$}; nothing else begins with a dollar but a parameter's number. */
    private int dollarQuoteEnd(int start) throws Unreadable {
        Matcher opening = TAG.matcher(sql).region(start, sql.length());
        if ((start > 0 && Character.isJavaIdentifierPart(at(start - 1))) || !opening.lookingAt()) {
            throw new Unreadable(start, "a $ that begins no literal for the driver or for the server");
        }
        String tag = opening.group();
        int close = sql.indexOf(tag, opening.end());
        if (close < 0) {
            throw new Unreadable(start, "the literal that " + tag + " opens is not closed");
        }
        return close + tag.length();
    }

    /** Unicode's other spaces are parts of words. */
    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isWordStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || isDigit(c) || c == '$';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
