package io.github.shardedid.move.internal.comparison;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of PostgreSQL's plug-in {@code pgoutput}, protocol version 1, as far as they say which rows have changed. One
 * instance reads the messages of one call, as each begins with the descriptions of the relations. Not safe for use by several threads.
 */
final class PgOutput {
    /** Receives the changes. */
    interface Changes {
        /** A row was inserted, updated or deleted. */
        void changed(String table, @Nullable Tuple before, @Nullable Tuple after);

        /** All rows were removed. */
        void truncated(String table);
    }

    /**
     * The values of a row, or of its key only, as far as they are in the log.
     *
     * @param names of all columns of the table
     * @param values their texts; null if they are SQL's null, or not in the log
     * @param logged whether each is in the log: the key alone is, or all but unchanged large values
     */
    record Tuple(List<String> names, List<@Nullable String> values, List<Boolean> logged) {
        /** The value of a column if it is in the log, and not null. */
        @Nullable
        String value(String column) {
            int position = names.indexOf(column);
            return position < 0 || !logged.get(position) ? null : values.get(position);
        }
    }

    private record Relation(String name, List<String> columns) {}

    private final Map<Integer, Relation> relations = new HashMap<>();
    private final Changes changes;

    PgOutput(Changes changes) {
        this.changes = changes;
    }

    /** Reads one message. Those of transactions, origins, types and the application's own say nothing of rows. */
    void read(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message);
        char kind = (char) in.get();
        switch (kind) {
            case 'R' -> relation(in);
            case 'I' -> {
                Relation relation = relationOf(in);
                in.get();
                changes.changed(relation.name(), null, tuple(in, relation));
            }
            case 'U' -> update(in);
            case 'D' -> {
                Relation relation = relationOf(in);
                in.get();
                changes.changed(relation.name(), tuple(in, relation), null);
            }
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

    private void update(ByteBuffer in) {
        Relation relation = relationOf(in);
        Tuple before = null;
        if (in.get() != 'N') {
            before = tuple(in, relation);
            in.get();
        }
        changes.changed(relation.name(), before, tuple(in, relation));
    }

    private void truncate(ByteBuffer in) {
        int count = in.getInt();
        in.get();
        for (int i = 0; i < count; i++) {
            changes.truncated(relationOf(in).name());
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

    private static Tuple tuple(ByteBuffer in, Relation relation) {
        int count = in.getShort();
        List<@Nullable String> values = new ArrayList<>(count);
        List<Boolean> logged = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            char kind = (char) in.get();
            if (kind == 't') {
                byte[] bytes = new byte[in.getInt()];
                in.get(bytes);
                values.add(new String(bytes, StandardCharsets.UTF_8));
            } else {
                values.add(null);
            }
            logged.add(kind != 'u');
        }
        return new Tuple(relation.columns(), values, logged);
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
