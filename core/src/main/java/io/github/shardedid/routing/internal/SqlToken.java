package io.github.shardedid.routing.internal;

/** A token of a SQL text, from {@code start} to before {@code end}. */
record SqlToken(Kind kind, int start, int end) {
    /** What a token is; numbers count as literals. */
    enum Kind {
        WORD,
        QUOTED,
        LITERAL,
        SYMBOL
    }
}
