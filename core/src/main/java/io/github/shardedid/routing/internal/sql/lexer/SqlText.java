package io.github.shardedid.routing.internal.sql.lexer;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A SQL text with its tokens; beyond either end there are only empty ones. */
public final class SqlText {
    private static final int BRIEF = 160;
    private static final Pattern SETTING = Pattern.compile("'([A-Za-z_][A-Za-z0-9_.$]*)'");

    private final String sql;
    private final List<SqlToken> tokens;
    private final String[] upper;
    /** How many parameters there are before each token, and before the end. */
    private final int[] parameters;

    public SqlText(String sql) {
        this.sql = sql;
        this.tokens = SqlTokenizer.tokens(sql);
        this.upper = new String[tokens.size()];
        this.parameters = new int[tokens.size() + 1];
        for (int i = 0; i < upper.length; i++) {
            upper[i] = switch (kind(i)) {
                case WORD, SYMBOL -> SqlNames.upper(raw(i));
                case QUOTED, LITERAL -> "";
            };
            parameters[i + 1] = parameters[i] + (upper[i].equals("?") ? 1 : 0);
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

    /** How many JDBC parameters are before a token. */
    public int parametersBefore(int i) {
        return parameters[i];
    }

    /** How many JDBC parameters it has. */
    public int parameters() {
        return parameters[upper.length];
    }

    /** The token as written. */
    public String raw(int i) {
        SqlToken token = tokens.get(i);
        return sql.substring(token.start(), token.end());
    }

    /**
     * The name of a setting that a literal holds; null for other tokens, and for literals that are read in another way than they are
     * written: continued on a further line, with escapes, or with other characters.
     */
    public @Nullable String settingName(int i) {
        if (i >= upper.length || kind(i) != SqlToken.Kind.LITERAL) {
            return null;
        }
        Matcher name = SETTING.matcher(raw(i));
        return name.matches() ? name.group(1) : null;
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
