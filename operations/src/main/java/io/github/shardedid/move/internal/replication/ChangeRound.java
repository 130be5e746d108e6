package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.internal.changes.Changes;
import io.github.shardedid.move.internal.changes.PgOutput;
import io.github.shardedid.move.internal.changes.Relation;
import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/**
 * Reads the next changes from the slot, which keeps them, and applies them in one transaction that also records how far they go. Only
 * when that is durable, the slot is advanced. What was recorded is skipped, so nothing is applied twice, whatever has died in between.
 */
final class ChangeRound implements Changes {
    /** A call returns more: it ends at the end of a transaction. */
    private static final int MESSAGES = 20_000;

    private static final int FETCH = 1_000;
    private static final String READ = "SELECT data FROM pg_logical_slot_peek_binary_changes(?, NULL, ?,"
            + " 'proto_version', '1', 'publication_names', quote_ident(?))";
    private static final String ADVANCE = "SELECT pg_replication_slot_advance(?, ?::pg_lsn)";

    private final Moving moving;
    private final Connection source;
    private final Connection target;
    private final AppliedMove progress;
    private final Map<String, Snapshot> copies;
    private final RowWriter writer;
    private long applied;
    private boolean writing;
    private long commit;
    private long transaction;
    private long end;

    ChangeRound(Moving moving, Connection source, Connection target) throws SQLException {
        this.moving = moving;
        this.source = source;
        this.target = target;
        this.progress = new AppliedMove(moving, target);
        this.copies = progress.copied();
        this.writer = new RowWriter(target, moving.names().schema());
    }

    /** Whether there were changes. */
    boolean run() throws SQLException {
        writing = false;
        end = 0;
        source.setAutoCommit(false);
        target.setAutoCommit(false);
        boolean complete = false;
        try {
            RowCopy.sameText(source, "pg_catalog");
            read();
            if (writing) {
                writer.flush();
                progress.applied(end);
            }
            target.commit();
            complete = true;
        } finally {
            end(source, complete);
            end(target, complete);
        }
        if (end != 0) {
            Sql.rows(
                    source,
                    ADVANCE,
                    moving.names().slot(),
                    LogSequenceNumber.valueOf(end).asString());
        }
        return writing;
    }

    private static void end(Connection connection, boolean complete) throws SQLException {
        if (!connection.isClosed()) {
            if (!complete) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    private void read() throws SQLException {
        PgOutput output = new PgOutput(this);
        try (PreparedStatement select = source.prepareStatement(READ)) {
            select.setString(1, moving.names().slot());
            select.setInt(2, MESSAGES);
            select.setString(3, moving.names().publication());
            select.setFetchSize(FETCH);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    output.read(row.getBytes(1));
                }
            }
        }
    }

    @Override
    public void begin(long position, long number) {
        transaction = number;
        commit = position;
    }

    @Override
    public void commit(long position) {
        end = position;
        applied = Math.max(applied, position);
    }

    @Override
    public void row(
            Kind kind,
            Relation relation,
            @Nullable Map<String, @Nullable String> before,
            @Nullable Map<String, @Nullable String> after)
            throws SQLException {
        if (isNew(relation)) {
            writer.write(kind, relation, before, after);
        }
    }

    @Override
    public void truncate(List<Relation> relations) throws SQLException {
        List<Relation> fresh = new ArrayList<>();
        for (Relation relation : relations) {
            if (isNew(relation)) {
                fresh.add(relation);
            }
        }
        if (!fresh.isEmpty()) {
            writer.truncate(fresh);
        }
    }

    /** Whether the copy of the table has not seen this transaction, and it was not applied. */
    private boolean isNew(Relation relation) throws SQLException {
        if (!writing) {
            writing = true;
            lock();
        }
        Snapshot copy = copies.get(relation.name());
        if (copy == null) {
            throw moving.unfinished("table " + relation.name() + " of the source was made meanwhile.");
        }
        return commit >= applied && !copy.sees(transaction);
    }

    private void lock() throws SQLException {
        RowCopy.sameText(target, Sql.name(moving.names().schema()));
        Sql.execute(
                target,
                "SET LOCAL synchronous_commit = on; SET CONSTRAINTS ALL DEFERRED; SET LOCAL enable_seqscan = off; SET LOCAL "
                        + Tables.APPLIES + " = '" + moving.names().object() + "'");
        applied = progress.lockApplied();
    }
}
