package io.github.shardedid.routing.internal.sql.ids;

/** The part of a text that writes a value cannot be read; the message says why. */
final class UnreadableWrite extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableWrite(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
