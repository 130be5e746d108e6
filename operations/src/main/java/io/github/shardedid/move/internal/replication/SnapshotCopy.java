package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Names;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Copies the tables through this process, each in one transaction, whose snapshot is recorded with it: of the changes that the slot
 * reports, those are applied that the snapshot has not seen. A resumed move copies the tables that are not recorded.
 */
public final class SnapshotCopy {
    private static final Duration POLL = Duration.ofMillis(50);

    private final Moving moving;
    private final Connection source;
    private final Connection target;
    private final String schema;
    private final AppliedMove applied;
    private long rows;

    public SnapshotCopy(Moving moving) {
        this.moving = moving;
        this.source = moving.source();
        this.target = moving.target();
        this.schema = moving.names().schema();
        this.applied = new AppliedMove(moving);
    }

    public void run() throws SQLException {
        awaitOlderTransactions();
        List<String> tables = new ArrayList<>(Tables.copied(source, schema));
        tables.add(Names.MARKER);
        Set<String> done = applied.copied().keySet();
        for (String table : tables) {
            if (!done.contains(table)) {
                Sql.transaction(source, () -> Sql.transaction(target, () -> copy(table)));
                moving.report(new MoveProgress(moving.move(), MoveStep.COPY, rows, -1, -1, -1, -1, null, null));
            }
        }
    }

    /**
     * The slot reports the transactions whose commits were logged after its creation. One whose commit was logged before, but waits
     * for a standby, is not yet visible to snapshots: so the first snapshot is taken when all that were running have ended.
     */
    private void awaitOlderTransactions() throws SQLException {
        String now = Sql.text(source, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
        boolean ended = moving.await(
                moving.options().catchUpTimeout(),
                POLL,
                () -> Sql.is(source, "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ?::xid8", now));
        if (!ended) {
            throw moving.unfinished("transactions of the source that have written were open all the time.");
        }
    }

    private void copy(String table) throws SQLException {
        Sql.execute(source, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        RowCopy.sameText(source, "pg_catalog");
        RowCopy.sameText(target, Sql.name(schema));
        Sql.execute(
                target, "SET LOCAL " + Tables.APPLIES + " = '" + moving.names().object() + "'");
        String snapshot = String.valueOf(Sql.text(source, "SELECT pg_current_snapshot()::text"));
        String qualified = Tables.qualified(schema, table);
        rows += RowCopy.copy(source, qualified, target, qualified);
        applied.copied(table, snapshot);
    }
}
