package io.github.shardedid.routing.internal;

import java.util.Locale;

/** Identifiers as PostgreSQL compares them, and parentheses. */
final class SqlNames {
    private SqlNames() {}

    /** A token so that two equal ones mean the same: words in lower case, quoted ones as they are, without quotes. */
    static String folded(SqlText text, int i) {
        String raw = text.raw(i);
        return switch (text.kind(i)) {
            case WORD -> raw.toLowerCase(Locale.ROOT);
            case QUOTED -> raw.substring(1, Math.max(1, raw.length() - 1)).replace("\"\"", "\"");
            case LITERAL, SYMBOL -> raw;
        };
    }

    /** +1 for an opening parenthesis or bracket, -1 for a closing one. */
    static int depthChange(SqlText text, int i) {
        return switch (text.at(i)) {
            case "(", "[" -> 1;
            case ")", "]" -> -1;
            default -> 0;
        };
    }

    /** The index of the parenthesis that closes the one at {@code open}, or the end of the text. */
    static int closing(SqlText text, int open) {
        int depth = 0;
        for (int i = open; i < text.size(); i++) {
            depth += depthChange(text, i);
            if (depth == 0) {
                return i;
            }
        }
        return text.size();
    }

    /** Whether a subselect begins with the parenthesis at {@code open}. */
    static boolean opensSelect(SqlText text, int open) {
        return text.is(open, "(") && (text.is(open + 1, "SELECT") || text.is(open + 1, "WITH"));
    }
}
