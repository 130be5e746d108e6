package io.github.shardedid.routing.internal.sql.lexer;

/** White space, comments, and the characters of words, as PostgreSQL has them. */
final class SqlBlanks {
    private SqlBlanks() {}

    /** Behind the white space and the comments, which nest, that begin here. */
    static int end(String sql, int from) throws UnreadableSql {
        int position = from;
        while (position < sql.length()) {
            if (isSpace(sql.charAt(position))) {
                position++;
            } else if (!isComment(sql, position)) {
                return position;
            } else {
                position = sql.charAt(position) == '-' ? lineEnd(sql, position) : commentEnd(sql, position);
            }
        }
        return position;
    }

    static boolean isComment(String sql, int position) {
        return sql.startsWith("--", position) || sql.startsWith("/*", position);
    }

    /** A line ends at a carriage return, too. */
    static int lineEnd(String sql, int from) {
        int position = from;
        while (position < sql.length() && !isNewline(sql.charAt(position))) {
            position++;
        }
        return position;
    }

    private static int commentEnd(String sql, int start) throws UnreadableSql {
        int depth = 0;
        int position = start;
        while (position < sql.length()) {
            boolean opens = sql.startsWith("/*", position);
            boolean closes = sql.startsWith("*/", position);
            depth += opens ? 1 : closes ? -1 : 0;
            position += opens || closes ? 2 : 1;
            if (depth == 0) {
                return position;
            }
        }
        throw new UnreadableSql(start, "a comment is not closed");
    }

    static boolean isNewline(char c) {
        return c == '\n' || c == '\r';
    }

    /** Unlike Unicode's other spaces, which are parts of words. */
    static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    static boolean isWordStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    static boolean isWordPart(char c) {
        return isWordStart(c) || isDigit(c) || c == '$';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
