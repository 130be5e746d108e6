package io.github.shardedid.routing.internal.sql.lexer;

import java.util.List;

/** A SQL text with its tokens; beyond either end there are only empty ones. */
public final class SqlText {
    private static final int BRIEF = 160;

    private final String sql;
    private final List<SqlToken> tokens;
    private final String[] upper;

    public SqlText(String sql) {
        this.sql = sql;
        this.tokens = SqlTokenizer.tokens(sql);
        this.upper = new String[tokens.size()];
        for (int i = 0; i < upper.length; i++) {
            upper[i] = switch (kind(i)) {
                case WORD, SYMBOL -> SqlNames.upper(raw(i));
                case QUOTED, LITERAL -> "";
            };
        }
    }

    public String sql() {
        return sql;
    }

    public int size() {
        return upper.length;
    }

    public SqlToken.Kind kind(int i) {
        return tokens.get(i).kind();
    }

    public int start(int i) {
        return tokens.get(i).start();
    }

    /** The token as written. */
    public String raw(int i) {
        SqlToken token = tokens.get(i);
        return sql.substring(token.start(), token.end());
    }

    /** A word or symbol in upper case; empty for literals, quoted identifiers, and where there is no token. */
    public String at(int i) {
        return i >= 0 && i < upper.length ? upper[i] : "";
    }

    public boolean is(int i, String wordOrSymbol) {
        return at(i).equals(wordOrSymbol);
    }

    public boolean isName(int i) {
        return i >= 0 && i < upper.length && (kind(i) == SqlToken.Kind.WORD || kind(i) == SqlToken.Kind.QUOTED);
    }

    /** A text for messages: on one line, shortened, and without literals, which may be anyone's data. */
    public static String brief(String sql) {
        StringBuilder brief = new StringBuilder();
        int from = 0;
        int end = 0;
        for (SqlToken token : SqlTokenizer.readable(sql)) {
            end = token.end();
            if (token.kind() == SqlToken.Kind.LITERAL && !SqlNumbers.startsAt(sql, token.start())) {
                brief.append(sql, from, token.start()).append("'…'");
                from = end;
            }
        }
        // What comes behind the last token is a comment, or cannot be read, and may be data.
        String line =
                brief.append(sql, from, end).toString().replaceAll("\\s+", " ").strip();
        return line.length() <= BRIEF ? line : line.substring(0, BRIEF) + "…";
    }
}
