package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.List;
import java.util.stream.IntStream;

/** Some consecutive tokens of a text, from one to before another. */
public record SqlSpan(SqlText text, int from, int to) {
    public boolean isEmpty() {
        return from >= to;
    }

    public int size() {
        return to - from;
    }

    /** The text as written, comments within it included. */
    public String sql() {
        return isEmpty()
                ? ""
                : text.sql()
                        .substring(
                                text.start(from),
                                text.start(to - 1) + text.raw(to - 1).length());
    }

    /** Whether this is a single token, a word in any case. */
    public boolean is(String token) {
        return size() == 1 && text.is(from, token);
    }

    /** Whether two spans, which may be of one text, have the same tokens. */
    public boolean sameAs(SqlSpan other) {
        if (size() != other.size()) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (!SqlNames.folded(text, from + i).equals(SqlNames.folded(other.text, other.from + i))) {
                return false;
            }
        }
        return true;
    }

    /** The numbers, from 1 in the whole text, of the JDBC parameters in it. */
    public List<Integer> parameters() {
        return IntStream.rangeClosed(text.parametersBefore(Math.min(from, to)) + 1, text.parametersBefore(to))
                .boxed()
                .toList();
    }
}
