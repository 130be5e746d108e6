package io.github.shardedid.routing.internal.sql.lexer;

/** What cannot be read of a text, and where. */
@SuppressWarnings("serial") // never leaves this package
final class UnreadableSql extends Exception {
    final int position;

    UnreadableSql(int position, String what) {
        super(what, null, false, false);
        this.position = position;
    }
}
