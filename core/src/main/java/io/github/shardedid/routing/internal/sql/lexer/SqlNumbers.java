package io.github.shardedid.routing.internal.sql.lexer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the numbers of PostgreSQL end: {@code 1}, {@code 1.}, {@code .5e-3}, {@code 0xFF}, {@code 1_000}. */
public final class SqlNumbers {
    private static final String DIGITS = "[0-9](?:_?[0-9])*+";
    private static final Pattern INTEGER = Pattern.compile(DIGITS);
    /** {@code 1..2} is a range of whole numbers. */
    private static final Pattern NUMBER =
            Pattern.compile("0[xX](?:_?[0-9a-fA-F])++|0[oO](?:_?[0-7])++|0[bB](?:_?[01])++|(?:" + DIGITS
                    + "(?:\\.(?!\\.)(?:" + DIGITS + ")?+)?+|\\." + DIGITS + ")(?:[eE][-+]?" + DIGITS + ")?+");

    private SqlNumbers() {}

    public static boolean startsAt(String sql, int position) {
        int digit = sql.charAt(position) == '.' ? position + 1 : position;
        return digit < sql.length() && SqlBlanks.isDigit(sql.charAt(digit));
    }

    static int end(String sql, int start) {
        return end(NUMBER, sql, start);
    }

    /** The end of a whole decimal number. */
    static int digits(String sql, int start) {
        return end(INTEGER, sql, start);
    }

    private static int end(Pattern pattern, String sql, int start) {
        Matcher matcher = pattern.matcher(sql).region(start, sql.length());
        return matcher.lookingAt() ? matcher.end() : start + 1;
    }
}
