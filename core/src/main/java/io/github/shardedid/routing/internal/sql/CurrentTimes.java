package io.github.shardedid.routing.internal.sql;

import java.util.Set;

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

    private static final String[] TIMES = {"now", "today", "tomorrow", "yesterday"};

    /** The length of the longest text that PostgreSQL reads as a time. */
    private static final int LONGEST = 128;

    private CurrentTimes() {}

    /**
     * Returns whether a token is the time, a call of it, or a literal that may be read as one. Escapes are not
     * read, so a literal with escapes may be one; and {@code age} reads it with one argument.
     */
    public static boolean isAt(SqlText text, int i) {
        boolean call = text.isName(i) && text.is(i + 1, "(") && FUNCTIONS.contains(text.folded(i));
        if (call || WORDS.contains(text.at(i))) {
            return true;
        } else if (!text.isLiteral(i)) {
            return false;
        }
        String raw = text.raw(i);
        boolean escaped = !raw.startsWith("'") && !raw.startsWith("$") && raw.indexOf('\\') > 0;
        return escaped || hasTime(raw);
    }

    /** Returns whether a parameter is a text that may be read as a time. */
    public static boolean isText(String parameter) {
        return parameter.length() <= LONGEST && hasTime(parameter);
    }

    /**
     * Returns whether a text has one of the words, beside a time of day, or in the text of a range, an array or a row. Without a
     * regular expression, because each text that is saved is looked through.
     */
    private static boolean hasTime(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isLetter(text, i - 1)) {
                for (String time : TIMES) {
                    if (text.regionMatches(true, i, time, 0, time.length()) && !isLetter(text, i + time.length())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean isLetter(String text, int i) {
        int lower = i >= 0 && i < text.length() ? text.charAt(i) | 0x20 : 0;
        return lower >= 'a' && lower <= 'z';
    }
}
