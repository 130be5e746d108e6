package io.github.shardedid.routing.internal.sql.lexer;

/** A token of a SQL text, from {@code start} to before {@code end}. */
public record SqlToken(Kind kind, int start, int end) {
    /** What a token is; numbers count as literals. */
    public enum Kind {
        WORD,
        QUOTED,
        LITERAL,
        SYMBOL
    }
}
