package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A position in a text that is being read. Its methods either step over what they expect, or refuse the text. */
final class SqlCursor {
    /** The ways out of what begins with a word. */
    private static final Map<String, String> WAYS_OUT = Map.of(
            "OVER", "Run a window function in each shard.",
            "WITHIN", "Run an aggregate of ordered values in each shard.",
            "RIGHT", "Write it as a LEFT JOIN.",
            "LATERAL", "Write a join or a subselect in the select list.",
            "USING", "Write ON with the two columns, and ASC or DESC in an ORDER BY.",
            "WITH", "Write FETCH … ROWS ONLY, and order by the id last.");

    final SqlText text;
    int position;

    SqlCursor(SqlText text) {
        this.text = text;
    }

    /** Returns whether these words or symbols come next. */
    boolean is(String... tokens) {
        for (int i = 0; i < tokens.length; i++) {
            if (!text.is(position + i, tokens[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether one of these comes next. */
    boolean isAny(String... tokens) {
        return Arrays.asList(tokens).contains(text.at(position));
    }

    /** Steps over these tokens if they come next. */
    boolean accept(String... tokens) {
        boolean found = is(tokens);
        position += found ? tokens.length : 0;
        return found;
    }

    /** Steps over one of these tokens if it comes next. */
    boolean acceptAny(String... tokens) {
        boolean found = isAny(tokens);
        position += found ? 1 : 0;
        return found;
    }

    /** Steps over a token, and refuses the text if it does not come next. */
    void expect(String token) {
        require(accept(token));
    }

    void expectAny(String... tokens) {
        require(acceptAny(tokens));
    }

    /** Refuses the text unless this is so. */
    void require(boolean known) {
        if (!known) {
            throw notRead();
        }
    }

    boolean atLiteral() {
        return text.isLiteral(position);
    }

    /** Returns whether an operator is at the position. */
    boolean atOperator() {
        return isOperator(text, position);
    }

    /** Returns whether a token is an operator. The tokens of parameters have the kind of operators. */
    static boolean isOperator(SqlText text, int i) {
        return text.isOperator(i) && !text.is(i, "?");
    }

    /**
     * Reads a name in the sense of {@link SqlText#folded}, which cuts it off as PostgreSQL does; any word will
     * do.
     */
    String name() {
        if (!text.isName(position)) {
            throw notRead();
        }
        return text.folded(position++);
    }

    /** Reads a name with its qualifiers, the first one first. */
    List<String> path() {
        return list(".", this::name);
    }

    /** Reads something, and more of it behind each separator. */
    <T> List<T> list(String separator, Supplier<T> one) {
        List<T> all = new ArrayList<>();
        do {
            all.add(one.get());
        } while (accept(separator));
        return List.copyOf(all);
    }

    /** Returns where the last name is of a path at the position. */
    int lastName() {
        int name = position;
        while (text.isName(name) && text.is(name + 1, ".")) {
            name += 2;
        }
        return name;
    }

    /** Returns the tokens from a position to before the current one. */
    SqlSpan since(int from) {
        return new SqlSpan(text, from, position);
    }

    /** Returns the refusal of what is not known to merge. */
    UnsupportedStatementException notRead() {
        String where =
                position < text.size() ? "at " + (text.isString(position) ? "'…'" : text.raw(position)) : "at its end";
        return ScatterRefusal.of(
                "A query with a form that is not known to merge (" + where + ")",
                text,
                WAYS_OUT.getOrDefault(text.at(position), "Write it more plainly, or ask each shard."));
    }
}
