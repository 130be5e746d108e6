package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** A replication slot at the source, which reports the rows that have changed since it was last read. */
final class ChangeSlot {
    /** A call may return more: it always ends at the end of a transaction. */
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

    /** Adds the rows that were changed by transactions committed until now. */
    void read(ComparedSide source, Map<String, PendingRows> pending) throws SQLException {
        String now = flushed(source);
        // A call that has reached its number of changes may have ended before the requested position.
        int messages;
        do {
            messages = readOnce(source, pending, now);
        } while (messages >= CHANGES_PER_CALL);
    }

    /** Only flushed log is decoded. A commit with {@code synchronous_commit = off} is flushed by the next commit that waits. */
    private static String flushed(ComparedSide source) throws SQLException {
        source.flush();
        return source.read(open -> String.valueOf(Sql.text(open, "SELECT pg_current_wal_flush_lsn()::text")));
    }

    private int readOnce(ComparedSide source, Map<String, PendingRows> pending, String upTo) throws SQLException {
        PgOutput output = new PgOutput(pending);
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
}
