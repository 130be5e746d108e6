package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.UnsupportedStatementException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A SQL text with its tokens, and its names as PostgreSQL compares them. Beyond either end there are only empty
 * tokens, so that callers can look behind and ahead without a check.
 */
public final class SqlText {
    private static final int BRIEF = 160;
    /** The bytes of a name that PostgreSQL keeps. */
    private static final int LONGEST_NAME = 63;

    private static final Pattern SETTING = Pattern.compile("'([A-Za-z_][A-Za-z0-9_.$]*)'");

    private final String sql;
    private final List<Token> tokens;
    /** The words and symbols in upper case, compared far more often than they are read; empty for other tokens. */
    private final String[] upper;
    /** The number of parameters before each token, and before the end. */
    private final int[] parameters;

    /** A token, from {@code start} to before {@code end}. */
    record Token(Kind kind, int start, int end) {}

    /** The kinds of tokens; numbers count as literals. */
    enum Kind {
        WORD,
        QUOTED,
        LITERAL,
        SYMBOL
    }

    /**
     * Cuts a text into tokens.
     *
     * @throws UnsupportedStatementException if it ends within a token, or the driver and the server would read
     *     it differently
     */
    public SqlText(String sql) {
        this.sql = sql;
        this.tokens = SqlTokenizer.tokens(sql, false);
        this.upper = new String[tokens.size()];
        this.parameters = new int[tokens.size() + 1];
        for (int i = 0; i < upper.length; i++) {
            upper[i] = isKind(i, Kind.WORD) || isKind(i, Kind.SYMBOL) ? upper(raw(i)) : "";
            parameters[i + 1] = parameters[i] + (upper[i].equals("?") ? 1 : 0);
        }
    }

    public String sql() {
        return sql;
    }

    public int size() {
        return upper.length;
    }

    public int start(int i) {
        return tokens.get(i).start;
    }

    public int end(int i) {
        return tokens.get(i).end;
    }

    /** Returns how many JDBC parameters are before a token. */
    public int parametersBefore(int i) {
        return parameters[i];
    }

    /** Returns how many JDBC parameters the text has. */
    public int parameters() {
        return parameters[upper.length];
    }

    /** Returns a token as it is written. */
    public String raw(int i) {
        return sql.substring(start(i), end(i));
    }

    /**
     * Returns a word or symbol in upper case; empty for literals, quoted identifiers, and where there is no
     * token.
     */
    public String at(int i) {
        return i >= 0 && i < upper.length ? upper[i] : "";
    }

    public boolean is(int i, String wordOrSymbol) {
        return at(i).equals(wordOrSymbol);
    }

    private boolean isKind(int i, Kind kind) {
        return i >= 0 && i < upper.length && tokens.get(i).kind == kind;
    }

    boolean isWord(int i) {
        return isKind(i, Kind.WORD);
    }

    boolean isQuoted(int i) {
        return isKind(i, Kind.QUOTED);
    }

    public boolean isName(int i) {
        return isWord(i) || isQuoted(i);
    }

    /** Returns whether a token is a literal, or a number. */
    public boolean isLiteral(int i) {
        return isKind(i, Kind.LITERAL);
    }

    public boolean isString(int i) {
        return isLiteral(i) && !SqlTokenizer.isNumber(sql, start(i));
    }

    /**
     * Returns whether a token is an operator, or a parameter, which is one in a text that the driver does not
     * prepare.
     */
    public boolean isOperator(int i) {
        return isKind(i, Kind.SYMBOL) && SqlTokenizer.OPERATORS.indexOf(upper[i].charAt(0)) >= 0;
    }

    /**
     * Returns the name of a setting that a literal holds; null for other tokens, and for literals that are read
     * in another way than they are written: with escapes, or with other characters.
     */
    @Nullable
    String settingName(int i) {
        Matcher name = SETTING.matcher(isLiteral(i) ? raw(i) : "");
        return name.matches() ? name.group(1) : null;
    }

    /**
     * Returns a token so that two equal ones mean the same: words in lower case, quoted ones as they are,
     * without quotes.
     */
    public String folded(int i) {
        String raw = raw(i);
        return switch (tokens.get(i).kind) {
            case WORD -> shortened(mapped(raw, 'A', 'Z', 'a' - 'A'));
            case QUOTED -> shortened(raw.substring(1, raw.length() - 1).replace("\"\"", "\""));
            case LITERAL, SYMBOL -> raw;
        };
    }

    /** Returns the first 63 bytes of a name in UTF-8, which PostgreSQL keeps, without a part of a character. */
    private static String shortened(String name) {
        if (name.length() <= LONGEST_NAME / 4) {
            return name;
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int end = Math.min(bytes.length, LONGEST_NAME);
        while (end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
            end--; // within a character
        }
        return end == bytes.length ? name : new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    public static String upper(String word) {
        return mapped(word, 'a', 'z', 'A' - 'a');
    }

    /** Maps the letters of ASCII, as PostgreSQL does, and no others that Java would fold to them. */
    private static String mapped(String word, char first, char last, int distance) {
        StringBuilder mapped = new StringBuilder(word);
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c >= first && c <= last) {
                mapped.setCharAt(i, (char) (c + distance));
            }
        }
        return mapped.toString();
    }

    /** Returns 1 for an opening parenthesis or bracket, -1 for a closing one. */
    public int depthChange(int i) {
        return switch (at(i)) {
            case "(", "[" -> 1;
            case ")", "]" -> -1;
            default -> 0;
        };
    }

    /** Returns the index of the parenthesis that closes the one at {@code open}, or the end of the text. */
    public int closing(int open) {
        int depth = 0;
        for (int i = open; i < upper.length; i++) {
            depth += depthChange(i);
            if (depth == 0) {
                return i;
            }
        }
        return upper.length;
    }

    /** Returns the first token that is no opening parenthesis. */
    public int behindOpening(int from) {
        int i = from;
        while (is(i, "(")) {
            i++;
        }
        return i;
    }

    /** Shortens a text for messages: on one line, and without literals, which may be anyone's data. */
    public static String brief(String sql) {
        StringBuilder brief = new StringBuilder();
        int from = 0;
        int end = 0;
        for (Token token : SqlTokenizer.tokens(sql, true)) {
            end = token.end;
            if (token.kind == Kind.LITERAL && !SqlTokenizer.isNumber(sql, token.start)) {
                brief.append(sql, from, token.start).append("'…'");
                from = end;
            }
        }
        // What comes behind the last token is a comment, or cannot be read, and may be data.
        String line =
                brief.append(sql, from, end).toString().replaceAll("\\s+", " ").strip();
        return line.length() <= BRIEF ? line : line.substring(0, BRIEF) + "…";
    }
}
