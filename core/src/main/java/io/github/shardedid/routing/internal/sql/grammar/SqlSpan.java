package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.SqlText;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Consecutive tokens of a text, from one to before another. What is sent to the shards is put together from
 * them, so that it has the words of the application, comments included.
 *
 * @param text the text
 * @param from the index of the first token
 * @param to the index behind the last one
 */
public record SqlSpan(SqlText text, int from, int to) {
    public boolean isEmpty() {
        return from >= to;
    }

    public int size() {
        return to - from;
    }

    /** Returns the text as written, comments within it included. */
    public String sql() {
        return isEmpty() ? "" : text.sql().substring(text.start(from), text.end(to - 1));
    }

    /** Returns whether this is a single token, a word in any case. */
    public boolean is(String token) {
        return size() == 1 && text.is(from, token);
    }

    /** Returns whether two spans, which may be of one text, have the same tokens. */
    public boolean sameAs(SqlSpan other) {
        return size() == other.size()
                && IntStream.range(0, size())
                        .allMatch(i -> text.folded(from + i).equals(other.text.folded(other.from + i)));
    }

    /** Returns the numbers, from 1 in the whole text, of the JDBC parameters in it. */
    public List<Integer> parameters() {
        return IntStream.rangeClosed(text.parametersBefore(Math.min(from, to)) + 1, text.parametersBefore(to))
                .boxed()
                .toList();
    }
}
