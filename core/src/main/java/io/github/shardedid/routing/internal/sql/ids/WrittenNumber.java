package io.github.shardedid.routing.internal.sql.ids;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers as PostgreSQL reads them in a literal, or in the text of a parameter. */
public final class WrittenNumber {
    private static final int LONGEST = 200;
    private static final Pattern DECIMAL =
            Pattern.compile("(?:[0-9][0-9_]*(?:\\.[0-9_]*)?|\\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]{1,3})?");
    private static final Pattern OTHER_BASE = Pattern.compile("0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+");
    private static final Pattern IDENTIFIER = Pattern.compile("\\s*+\"?[A-Za-z_][^\u0000]*", Pattern.DOTALL);
    private static final Pattern BITS = Pattern.compile("\\s*[xXbB][0-9a-fA-F_]+\\s*");

    private WrittenNumber() {}

    /** The integer that a text means exactly; null if it is another number, or none. */
    public static @Nullable BigInteger exact(String text) {
        String digits = text.strip();
        boolean negative = digits.startsWith("-");
        if (negative || digits.startsWith("+")) {
            digits = digits.substring(1);
        }
        BigInteger number = digits.length() > LONGEST ? null : unsigned(digits);
        return number == null || !negative ? number : number.negate();
    }

    private static @Nullable BigInteger unsigned(String digits) {
        String plain = digits.replace("_", "");
        if (OTHER_BASE.matcher(digits).matches() && plain.length() > 2) {
            int radix =
                    switch (plain.charAt(1)) {
                        case 'x', 'X' -> 16;
                        case 'o', 'O' -> 8;
                        default -> 2;
                    };
            return new BigInteger(plain.substring(2), radix);
        }
        return DECIMAL.matcher(digits).matches() ? exact(new BigDecimal(plain)) : null;
    }

    /** The integer that a number is; null if it is none. */
    public static @Nullable BigInteger exact(BigDecimal number) {
        if (Math.abs((long) number.scale()) > 2 * LONGEST) {
            return null;
        }
        try {
            return number.toBigIntegerExact();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    /** Whether a text might be read as a number. A name, such as that of a sequence, is none. */
    public static boolean isPossible(String text) {
        boolean name = IDENTIFIER.matcher(text).matches() && !BITS.matcher(text).matches();
        return text.matches("\\s*[xX][0-9a-fA-F]+\\s*") || (hasDigit(text) && !name);
    }

    /** The integer that a literal of a SQL text means exactly; null if it is another number, or none. */
    static @Nullable BigInteger exactLiteral(String raw) {
        String content = content(raw);
        return content == null ? null : exact(content);
    }

    /** Whether a literal of a SQL text might be read as a number. */
    static boolean isPossibleLiteral(String raw) {
        char first = raw.charAt(0);
        boolean bits = "bBxX".indexOf(first) >= 0;
        boolean unicode = first == 'u' || first == 'U';
        String content = unicode ? null : content(raw);
        return bits || (content == null ? hasDigit(raw) : isPossible(content));
    }

    /** What a literal means; null if it has escapes, or consists of several parts. */
    private static @Nullable String content(String raw) {
        char first = raw.charAt(0);
        if (first == '$') {
            int tag = raw.indexOf('$', 1) + 1;
            return raw.substring(tag, raw.length() - tag);
        }
        int quote = raw.indexOf('\'');
        if (quote < 0) {
            return raw;
        }
        String content = raw.substring(quote + 1, raw.length() - 1);
        boolean plain = "'eEnNuU".indexOf(first) >= 0 && content.indexOf('\'') < 0;
        boolean escaped = quote > 0 && content.indexOf('\\') >= 0;
        return plain && !escaped ? content : null;
    }

    private static boolean hasDigit(String text) {
        return text.chars().anyMatch(c -> c >= '0' && c <= '9');
    }
}
