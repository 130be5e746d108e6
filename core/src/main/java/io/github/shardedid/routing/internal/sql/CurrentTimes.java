package io.github.shardedid.routing.internal.sql;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The expressions that depend on the time at which a transaction or a statement has begun: functions, words of
 * SQL, and texts that PostgreSQL reads as a time, such as {@code 'today'}.
 *
 * <p>A query that runs outside of its transaction would see another time than the transaction, and the
 * statements of a query over several shards would each see their own. So such queries are executed inside of
 * the transaction, or refused.
 */
public final class CurrentTimes {
    private static final Set<String> FUNCTIONS = Set.of("now", "transaction_timestamp", "statement_timestamp", "age");
    private static final Set<String> WORDS =
            SqlKeywords.words("CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP");

    /** The words in a text. They may stand beside a time of day, or in the text of a range, an array or a row. */
    private static final Pattern TIME = Pattern.compile("(?i)(?<![a-z])(now|today|tomorrow|yesterday)(?![a-z])");

    /** The end of a part of a literal and the beginning of the next one, between which a word may be cut in two. */
    private static final Pattern CONTINUED = Pattern.compile("'\\s*\\R\\s*'");

    /** The length of the longest text that PostgreSQL reads as a time. */
    private static final int LONGEST = 128;

    private CurrentTimes() {}

    /** Returns whether a function returns the time; {@code age} does so with one argument. */
    public static boolean isFunction(String name, int arguments) {
        return FUNCTIONS.contains(name) && (arguments == 1 || !name.equals("age"));
    }

    /**
     * Returns whether a token is the time, or a literal that may be read as one. Escapes are not read, so a
     * literal with escapes may be one.
     */
    public static boolean isAt(SqlText text, int i) {
        if (WORDS.contains(text.at(i))) {
            return true;
        } else if (!text.isLiteral(i)) {
            return false;
        }
        String raw = text.raw(i);
        boolean escaped = !raw.startsWith("'") && !raw.startsWith("$") && raw.indexOf('\\') > 0;
        return escaped || TIME.matcher(CONTINUED.matcher(raw).replaceAll("")).find();
    }

    /** Returns whether a parameter is a text that may be read as a time. */
    public static boolean isText(@Nullable Object parameter) {
        return parameter instanceof String text
                && text.length() <= LONGEST
                && TIME.matcher(text).find();
    }
}
