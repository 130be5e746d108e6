package io.github.shardedid.move.internal.changes;

import io.github.shardedid.move.internal.changes.Changes.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of PostgreSQL's plug-in {@code pgoutput}, protocol version 1. Each call of the server describes the relations
 * again, so each has its own instance. Not safe for use by several threads.
 */
public final class PgOutput {
    private final Map<Integer, Relation> relations = new HashMap<>();
    private final Changes changes;

    public PgOutput(Changes changes) {
        this.changes = changes;
    }

    /** Reads one message. Messages about origins and types, and the application's own, contain no rows. */
    public void read(byte[] message) throws SQLException {
        ByteBuffer in = ByteBuffer.wrap(message);
        char kind = (char) in.get();
        switch (kind) {
            case 'B' -> begin(in);
            case 'C' -> commit(in);
            case 'R' -> relation(in);
            case 'I' -> change(Kind.INSERT, in);
            case 'U' -> change(Kind.UPDATE, in);
            case 'D' -> change(Kind.DELETE, in);
            case 'T' -> truncate(in);
            case 'O', 'Y', 'M' -> {}
            default -> throw new IllegalStateException("pgoutput sent a message of the unknown kind '" + kind + "'.");
        }
    }

    private void begin(ByteBuffer in) throws SQLException {
        long commit = in.getLong();
        in.getLong();
        changes.begin(commit, Integer.toUnsignedLong(in.getInt()));
    }

    private void commit(ByteBuffer in) throws SQLException {
        in.get();
        in.getLong();
        changes.commit(in.getLong());
    }

    private void relation(ByteBuffer in) {
        int oid = in.getInt();
        text(in);
        String name = text(in);
        boolean full = in.get() == 'f';
        int count = in.getShort();
        List<String> columns = new ArrayList<>(count);
        List<String> key = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean identifies = (in.get() & 1) != 0;
            String column = text(in);
            columns.add(column);
            if (full || identifies) {
                key.add(column);
            }
            in.getInt();
            in.getInt();
        }
        relations.put(oid, new Relation(name, List.copyOf(columns), List.copyOf(key), full));
    }

    private void change(Kind kind, ByteBuffer in) throws SQLException {
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
        changes.row(kind, relation, before, after);
    }

    private void truncate(ByteBuffer in) throws SQLException {
        int count = in.getInt();
        in.get();
        List<Relation> truncated = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            truncated.add(relationOf(in));
        }
        changes.truncate(truncated);
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
