package io.github.shardedid.move.internal.comparison;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of PostgreSQL's plug-in {@code pgoutput}, protocol version 1, and adds the changed rows to the pending rows of
 * their tables. A table without pending rows is the move's own. Each call of the server describes the relations again, so each has its
 * own instance. Not safe for use by several threads.
 */
final class PgOutput {
    private final Map<Integer, Relation> relations = new HashMap<>();
    private final Map<String, PendingRows> pending;

    /**
     * A table whose rows have changed.
     *
     * @param name without the schema
     * @param columns those that are sent, without generated ones
     */
    private record Relation(String name, List<String> columns) {}

    PgOutput(Map<String, PendingRows> pending) {
        this.pending = pending;
    }

    /** Reads one message. Those of the beginning and end of a transaction, origins, types and the application contain no rows. */
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

    private void change(ByteBuffer in) {
        Relation relation = relationOf(in);
        Map<String, @Nullable String> before = null;
        Map<String, @Nullable String> after = null;
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

    private static Map<String, @Nullable String> row(ByteBuffer in, Relation relation) {
        Map<String, @Nullable String> row = new HashMap<>();
        int count = in.getShort();
        for (int i = 0; i < count; i++) {
            switch (in.get()) {
                case 't' -> {
                    byte[] bytes = new byte[in.getInt()];
                    in.get(bytes);
                    row.put(relation.columns().get(i), new String(bytes, StandardCharsets.UTF_8));
                }
                case 'n' -> row.put(relation.columns().get(i), null);
                default -> {}
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
