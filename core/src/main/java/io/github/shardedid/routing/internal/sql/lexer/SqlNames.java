package io.github.shardedid.routing.internal.sql.lexer;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Identifiers as PostgreSQL compares them, and parentheses. */
public final class SqlNames {
    private static final int LONGEST = 63;

    private SqlNames() {}

    /** A token so that two equal ones mean the same: words in lower case, quoted ones as they are, without quotes. */
    public static String folded(SqlText text, int i) {
        String raw = text.raw(i);
        return switch (text.kind(i)) {
            case WORD -> shortened(mapped(raw, 'A', 'Z', 'a' - 'A'));
            case QUOTED -> shortened(raw.startsWith("\"") ? unquoted(raw, 0) : unescaped(raw));
            case LITERAL, SYMBOL -> raw;
        };
    }

    /** PostgreSQL keeps the first 63 bytes of a name, here those of UTF-8, without a part of a character. */
    private static String shortened(String name) {
        if (name.length() <= LONGEST / 4) {
            return name;
        }
        int bytes = 0;
        int end = 0;
        while (end < name.length()) {
            int code = name.codePointAt(end);
            bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
            if (bytes > LONGEST) {
                return name.substring(0, end);
            }
            end += Character.charCount(code);
        }
        return name;
    }

    public static String upper(String word) {
        return mapped(word, 'a', 'z', 'A' - 'a');
    }

    /** PostgreSQL folds the letters of ASCII, and no others that Java would fold to them. */
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

    private static String unquoted(String raw, int from) {
        int close = raw.lastIndexOf('"');
        return raw.substring(from + 1, close).replace("\"\"", "\"");
    }

    /** What {@code U&"d!0061t!+000061" UESCAPE '!'} means; as written where it means nothing. */
    private static String unescaped(String raw) {
        char escape = raw.endsWith("'") ? raw.charAt(raw.length() - 2) : '\\';
        String name = unquoted(raw.substring(0, identifierEnd(raw)), 2);
        String mark = Pattern.quote(String.valueOf(escape));
        return Pattern.compile(mark + "(?:" + mark + "|([0-9a-fA-F]{4})|\\+([0-9a-fA-F]{6}))")
                .matcher(name)
                .replaceAll(found -> Matcher.quoteReplacement(character(found, escape)));
    }

    private static int identifierEnd(String raw) {
        try {
            return SqlQuotes.identifierEnd(raw, 0, 2);
        } catch (UnreadableSql e) {
            throw new IllegalStateException(e);
        }
    }

    private static String character(MatchResult found, char escape) {
        String hex = found.group(1) == null ? found.group(2) : found.group(1);
        int code = hex == null ? escape : Integer.parseInt(hex, 16);
        return Character.isValidCodePoint(code) ? new String(Character.toChars(code)) : found.group();
    }

    /** +1 for an opening parenthesis or bracket, -1 for a closing one. */
    public static int depthChange(SqlText text, int i) {
        return switch (text.at(i)) {
            case "(", "[" -> 1;
            case ")", "]" -> -1;
            default -> 0;
        };
    }

    /** The index of the parenthesis that closes the one at {@code open}, or the end of the text. */
    public static int closing(SqlText text, int open) {
        int depth = 0;
        for (int i = open; i < text.size(); i++) {
            depth += depthChange(text, i);
            if (depth == 0) {
                return i;
            }
        }
        return text.size();
    }

    /** The first token that is no opening parenthesis. */
    public static int behindOpening(SqlText text, int from) {
        int i = from;
        while (text.is(i, "(")) {
            i++;
        }
        return i;
    }

    /** The index of the parenthesis around a token, or -1. */
    public static int opening(SqlText text, int i) {
        int depth = 0;
        int open = i;
        while (open >= 0 && (depth > 0 || !text.is(open, "("))) {
            depth -= depthChange(text, open);
            open--;
        }
        return open;
    }
}
