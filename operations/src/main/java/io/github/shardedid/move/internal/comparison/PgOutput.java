package io.github.shardedid.move.internal.comparison;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads which rows have changed from the messages of PostgreSQL's plug-in {@code pgoutput}, protocol version 1. Each call of the
 * server describes the relations again, so each has its own instance. Not safe for use by several threads.
 */
final class PgOutput {
    private record Relation(String name, List<String> columns) {}

    private final Map<Integer, Relation> relations = new HashMap<>();
    private final Map<String, PendingRows> pending;

    /** Adds the changed rows to the pending rows of their tables. A table without pending rows is the move's own. */
    PgOutput(Map<String, PendingRows> pending) {
        this.pending = pending;
    }

    /** Reads one message. Messages about transactions, origins and types, and the application's own, contain no rows. */
    void read(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message);
        char kind = (char) in.get();
        switch (kind) {
            case 'R' -> relation(in);
            case 'I', 'U', 'D' -> change(in);
            case 'T' -> truncate(in);
            case 'B', 'C', 'O', 'Y', 'M' -> {}
            default -> throw new IllegalStateException("pgoutput sent a message of the unknown kind '" + kind + "'.");
        }
    }

    private void relation(ByteBuffer in) {
        int oid = in.getInt();
        text(in);
        String name = text(in);
        in.get();
        int count = in.getShort();
        List<String> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            in.get();
            columns.add(text(in));
            in.getInt();
            in.getInt();
        }
        relations.put(oid, new Relation(name, columns));
    }

    /** An insert contains the new row, a delete the old row or its key, an update the new row and possibly the old one or its key. */
    private void change(ByteBuffer in) {
        Relation relation = relationOf(in);
        Map<String, String> before = null;
        Map<String, String> after = null;
        while (in.hasRemaining()) {
            if (in.get() == 'N') {
                after = row(in, relation);
            } else {
                before = row(in, relation);
            }
        }
        PendingRows rows = pending.get(relation.name());
        if (rows != null) {
            rows.changed(before, after);
        }
    }

    private void truncate(ByteBuffer in) {
        int count = in.getInt();
        in.get();
        for (int i = 0; i < count; i++) {
            PendingRows rows = pending.get(relationOf(in).name());
            if (rows != null) {
                rows.whole();
            }
        }
    }

    private Relation relationOf(ByteBuffer in) {
        int oid = in.getInt();
        Relation relation = relations.get(oid);
        if (relation == null) {
            throw new IllegalStateException(
                    "pgoutput reports a change of relation " + oid + ", which it has not described.");
        }
        return relation;
    }

    /** The logged values by column, without nulls. Large values that have not changed are not logged. */
    private static Map<String, String> row(ByteBuffer in, Relation relation) {
        Map<String, String> row = new HashMap<>();
        int count = in.getShort();
        for (int i = 0; i < count; i++) {
            if (in.get() == 't') {
                byte[] bytes = new byte[in.getInt()];
                in.get(bytes);
                row.put(relation.columns().get(i), new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return row;
    }

    private static String text(ByteBuffer in) {
        int end = in.position();
        while (in.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - in.position()];
        in.get(bytes);
        in.get();
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
