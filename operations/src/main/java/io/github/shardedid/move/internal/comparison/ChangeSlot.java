package io.github.shardedid.move.internal.comparison;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads from a replication slot at the source which rows have changed since it was last read. */
final class ChangeSlot {
    /** A transaction is read to its end, however many changes it has. */
    private static final int CHANGES_PER_CALL = 50_000;

    private static final int FETCH = 1_000;
    private static final String READ = "SELECT data FROM pg_logical_slot_get_binary_changes(?, ?::pg_lsn, ?,"
            + " 'proto_version', '1', 'publication_names', quote_ident(?))";

    private final String slot;
    private final String publication;

    ChangeSlot(String slot, String publication) {
        this.slot = slot;
        this.publication = publication;
    }

    /** Adds what has been committed by now to what is to be compared. */
    void read(ComparedSide source, Map<String, PendingRows> pending) throws SQLException {
        String now = flushed(source);
        // A call that reaches its number of changes ends after a commit, perhaps before the requested position.
        int messages;
        do {
            messages = readOnce(source, pending, now);
        } while (messages >= CHANGES_PER_CALL);
    }

    /** Only what is flushed is decoded; a commit that does not wait for the disk may not be. The next one that waits flushes it. */
    private static String flushed(ComparedSide source) throws SQLException {
        source.flush();
        return source.read(open -> {
            try (PreparedStatement select = open.prepareStatement("SELECT pg_current_wal_flush_lsn()::text");
                    ResultSet row = select.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        });
    }

    private int readOnce(ComparedSide source, Map<String, PendingRows> pending, String upTo) throws SQLException {
        PgOutput output = new PgOutput(new ToTables(pending));
        return source.read(open -> {
            int messages = 0;
            try (PreparedStatement select = open.prepareStatement(READ)) {
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
        });
    }

    /** A relation that is not compared is the mover's own. */
    private record ToTables(Map<String, PendingRows> pending) implements PgOutput.Changes {
        @Override
        public void changed(String table, PgOutput.@Nullable Tuple before, PgOutput.@Nullable Tuple after) {
            PendingRows rows = pending.get(table);
            if (rows != null) {
                rows.changed(table, before, after);
            }
        }

        @Override
        public void truncated(String table) {
            PendingRows rows = pending.get(table);
            if (rows != null) {
                rows.truncated(table);
            }
        }
    }
}
