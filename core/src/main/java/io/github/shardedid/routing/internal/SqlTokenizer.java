package io.github.shardedid.routing.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a SQL text into tokens by PostgreSQL's lexical rules: comments (which nest) and white space are dropped, and
 * nothing inside a literal, a dollar quote or a quoted identifier is taken for a word. What is left open ends with the
 * text; the server will complain.
 */
final class SqlTokenizer {
    private final String sql;
    private int position;

    private SqlTokenizer(String sql) {
        this.sql = sql;
    }

    static List<SqlToken> tokens(String sql) {
        SqlTokenizer tokenizer = new SqlTokenizer(sql);
        List<SqlToken> tokens = new ArrayList<>();
        tokenizer.skipBlanks();
        while (tokenizer.position < sql.length()) {
            tokens.add(tokenizer.next());
            tokenizer.skipBlanks();
        }
        return tokens;
    }

    private SqlToken next() {
        int start = position;
        char c = sql.charAt(position);
        if (isWordStart(c)) {
            return word(start);
        } else if (c == '\'') {
            literal(false);
            return new SqlToken(SqlToken.Kind.LITERAL, start, position);
        } else if (c == '"') {
            quoted('"', false);
            return new SqlToken(SqlToken.Kind.QUOTED, start, position);
        } else if (c == '$' && dollarQuote()) {
            return new SqlToken(SqlToken.Kind.LITERAL, start, position);
        } else if (isDigit(c)) {
            skipWord();
            return new SqlToken(SqlToken.Kind.LITERAL, start, position);
        }
        position++;
        return new SqlToken(SqlToken.Kind.SYMBOL, start, position);
    }

    private SqlToken word(int start) {
        skipWord();
        boolean escapes = position - start == 1 && (sql.charAt(start) | 0x20) == 'e';
        if (escapes && at(position) == '\'') {
            literal(true);
            return new SqlToken(SqlToken.Kind.LITERAL, start, position);
        }
        return new SqlToken(SqlToken.Kind.WORD, start, position);
    }

    private void skipWord() {
        while (position < sql.length() && isWordPart(sql.charAt(position))) {
            position++;
        }
    }

    private void literal(boolean escapes) {
        quoted('\'', escapes);
    }

    /** From an opening quote to behind its closing one; a doubled quote is part of the content. */
    private void quoted(char quote, boolean escapes) {
        position++;
        while (position < sql.length()) {
            char c = sql.charAt(position++);
            if (c == '\\' && escapes) {
                position = Math.min(position + 1, sql.length());
            } else if (c == quote) {
                if (at(position) != quote) {
                    return;
                }
                position++;
            }
        }
    }

    /** Skips a dollar quote if one starts here; {@code $1} does not start one. */
    private boolean dollarQuote() {
        int tagEnd = position + 1;
        while (tagEnd < sql.length() && isTagPart(sql.charAt(tagEnd), tagEnd == position + 1)) {
            tagEnd++;
        }
        if (at(tagEnd) != '$') {
            return false;
        }
        String tag = sql.substring(position, tagEnd + 1);
        int close = sql.indexOf(tag, tagEnd + 1);
        position = close < 0 ? sql.length() : close + tag.length();
        return true;
    }

    private void skipBlanks() {
        while (position < sql.length()) {
            char c = sql.charAt(position);
            if (Character.isWhitespace(c)) {
                position++;
            } else if (c == '-' && at(position + 1) == '-') {
                int lineEnd = sql.indexOf('\n', position);
                position = lineEnd < 0 ? sql.length() : lineEnd + 1;
            } else if (c == '/' && at(position + 1) == '*') {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() {
        int depth = 0;
        do {
            if (at(position) == '/' && at(position + 1) == '*') {
                depth++;
                position += 2;
            } else if (at(position) == '*' && at(position + 1) == '/') {
                depth--;
                position += 2;
            } else {
                position++;
            }
        } while (depth > 0 && position < sql.length());
    }

    private char at(int index) {
        return index < sql.length() ? sql.charAt(index) : '\0';
    }

    private static boolean isWordStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || isDigit(c) || c == '$';
    }

    private static boolean isTagPart(char c, boolean first) {
        return isWordStart(c) || (!first && isDigit(c));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
