package io.github.shardedid.routing.internal.sql.lexer;

/** Where the literals and the quoted identifiers of a text end, for PostgreSQL and for the driver alike. */
final class SqlQuotes {
    private SqlQuotes() {}

    /**
     * The end of a literal that begins at {@code start}, with a prefix or with its quote. It goes on behind white space that has
     * the end of a line in it.
     */
    static int literalEnd(String sql, int start, int firstQuote) throws UnreadableSql {
        boolean escapes = (sql.charAt(start) | 0x20) == 'e' && firstQuote == start + 1;
        int quote = firstQuote;
        int end;
        do {
            end = quotedEnd(sql, quote, escapes, start);
            boolean seenByDriver = quote == firstQuote && (start > 0 && endsWord(sql.charAt(start - 1)));
            if (escapes && !seenByDriver && sql.substring(quote, end).indexOf('\\') >= 0) {
                throw new UnreadableSql(
                        quote, "the driver does not see that this literal has escapes; write E'…' in one piece");
            }
            quote = continued(sql, end);
        } while (quote >= 0);
        return end;
    }

    /** What the driver expects before the E of {@code E'…'}. */
    private static boolean endsWord(char c) {
        return c == '"' || SqlBlanks.isSpace(c) || ",()[].;:+-*/%^<>=~!@#&|`?".indexOf(c) >= 0;
    }

    /** From an opening quote to behind its closing one; a doubled quote is part of the content. */
    private static int quotedEnd(String sql, int quote, boolean escapes, int start) throws UnreadableSql {
        char mark = sql.charAt(quote);
        int position = quote + 1;
        while (position < sql.length()) {
            char c = sql.charAt(position++);
            if (c == '\\' && escapes) {
                position++;
            } else if (c == mark) {
                if (position == sql.length() || sql.charAt(position) != mark) {
                    return position;
                }
                position++;
            }
        }
        throw new UnreadableSql(start, mark == '"' ? "a quoted identifier is not closed" : "a literal is not closed");
    }

    /** The quote with which a literal that has ended goes on; -1 if it does not. */
    private static int continued(String sql, int end) {
        int position = end;
        boolean newline = false;
        while (position < sql.length()) {
            char c = sql.charAt(position);
            if (SqlBlanks.isSpace(c)) {
                newline |= SqlBlanks.isNewline(c);
                position++;
            } else if (sql.startsWith("--", position)) {
                position = SqlBlanks.lineEnd(sql, position);
            } else {
                return newline && c == '\'' ? position : -1;
            }
        }
        return -1;
    }

    static int identifierEnd(String sql, int start, int quote) throws UnreadableSql {
        return quotedEnd(sql, quote, false, start);
    }

    /** {@code U&"…"}, with its {@code UESCAPE '!'} if it has one. */
    static int unicodeIdentifierEnd(String sql, int start) throws UnreadableSql {
        int end = identifierEnd(sql, start, start + 2);
        int word = SqlBlanks.end(sql, end);
        if (!sql.regionMatches(true, word, "UESCAPE", 0, 7)) {
            return end;
        }
        int literal = SqlBlanks.end(sql, word + 7);
        boolean escape = sql.startsWith("'", literal) && literalEnd(sql, literal, literal) == literal + 3;
        if (!escape) {
            throw new UnreadableSql(word, "UESCAPE without a literal of one character");
        }
        return literal + 3;
    }

    /** The end of {@code $tag$ … $tag$}; nothing else begins with a dollar but a parameter's number. */
    static int dollarQuoteEnd(String sql, int start) throws UnreadableSql {
        int tagEnd = start + 1;
        while (tagEnd < sql.length() && isTagPart(sql.charAt(tagEnd), tagEnd == start + 1)) {
            tagEnd++;
        }
        boolean joined = start > 0 && Character.isJavaIdentifierPart(sql.charAt(start - 1));
        if (joined || tagEnd == sql.length() || sql.charAt(tagEnd) != '$') {
            throw new UnreadableSql(start, "a $ that begins no literal for the driver or for the server");
        }
        String tag = sql.substring(start, tagEnd + 1);
        int close = sql.indexOf(tag, tagEnd + 1);
        if (close < 0) {
            throw new UnreadableSql(start, "the literal that " + tag + " opens is not closed");
        }
        return close + tag.length();
    }

    /** For both: the driver goes by Java's identifiers. */
    private static boolean isTagPart(char c, boolean first) {
        return first
                ? SqlBlanks.isWordStart(c) && Character.isJavaIdentifierStart(c)
                : c != '$' && SqlBlanks.isWordPart(c) && Character.isJavaIdentifierPart(c);
    }
}
