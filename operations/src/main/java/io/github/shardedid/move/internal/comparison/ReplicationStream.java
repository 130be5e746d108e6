package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the source's rows, read from a logical replication slot: the rows that have changed since it was last read are added to
 * the pending rows of their tables.
 *
 * <ol>
 *   <li>The log is flushed, because only flushed log is decoded.
 *   <li>The slot is read up to the position that was flushed last, some changes at a time.
 *   <li>The messages of plug-in {@code pgoutput} name the keys of the rows.
 * </ol>
 */
record ReplicationStream(String slot, String publication) {
    /** A call may return more: it always ends at the end of a transaction. */
    private static final int CHANGES_PER_CALL = 50_000;

    private static final int FETCH = 1_000;

    private static final String READ = Sql.load(ReplicationStream.class, "read_changes.sql");

    /**
     * Adds the rows that were changed by transactions committed until now. Only flushed log is decoded: a commit with
     * {@code synchronous_commit = off} is flushed by the next commit that waits.
     */
    void read(ComparedSide source, Map<String, PendingRows> pending) throws SQLException {
        source.flush();
        String now = source.read(open -> String.valueOf(Sql.text(open, "SELECT pg_current_wal_flush_lsn()::text")));
        // A call that has reached its number of changes may have ended before the requested position.
        while (source.read(open -> readOnce(open, new PgOutput(pending, new HashMap<>()), now)) >= CHANGES_PER_CALL) {}
    }

    private int readOnce(Connection source, PgOutput output, String upTo) throws SQLException {
        int messages = 0;
        try (PreparedStatement select = source.prepareStatement(READ)) {
            select.setString(1, slot);
            select.setString(2, upTo);
            select.setInt(3, CHANGES_PER_CALL);
            select.setString(4, publication);
            select.setFetchSize(FETCH);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    output.read(row.getBytes(1));
                    messages++;
                }
            }
        }
        return messages;
    }

    /**
     * Reads the messages of PostgreSQL's plug-in {@code pgoutput}, protocol version 1, and adds the changed rows to the pending rows of
     * their tables. A table without pending rows is the move's own. Each call of the server describes the relations again, so each has its
     * own instance. Not safe for use by several threads.
     */
    private record PgOutput(Map<String, PendingRows> pending, Map<Integer, Relation> relations) {
        /**
         * A table whose rows have changed.
         *
         * @param name without the schema
         * @param columns those that are sent, without generated ones
         */
        private record Relation(String name, List<String> columns) {}

        /** Reads one message. Those of the beginning and end of a transaction, origins, types and the application contain no rows. */
        void read(byte[] message) {
            ByteBuffer in = ByteBuffer.wrap(message);
            char kind = (char) in.get();
            switch (kind) {
                case 'R' -> relation(in);
                case 'I', 'U', 'D' -> change(in);
                case 'T' -> truncate(in);
                case 'B', 'C', 'O', 'Y', 'M' -> {}
                default ->
                    throw new IllegalStateException("pgoutput sent a message of the unknown kind '" + kind + "'.");
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
}
