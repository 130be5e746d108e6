package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows of a fenced shard through this process, by one transaction at each side. Foreign keys are checked once all rows are
 * there; triggers do not fire.
 */
record OfflineCopy(MoveContext moving) {
    /** Statements that suspend foreign keys and triggers, and that restore them. */
    private static final String SUSPENSIONS = Sql.load(OfflineCopy.class, "suspensions.sql");

    private static final String COLUMNS = Sql.load(OfflineCopy.class, "copied_columns.sql");

    /** Lets both sides write and read the same text for the same value, whatever their settings are. */
    private static final String SAME_TEXT = Sql.load(OfflineCopy.class, "same_text.sql");

    void run() throws SQLException {
        Sql.transaction(moving.source(), () -> Sql.transaction(moving.target(), () -> copy()));
    }

    private void copy() throws SQLException {
        String schema = moving.schema();
        Sql.execute(moving.source(), SAME_TEXT);
        Sql.execute(moving.target(), SAME_TEXT);
        List<List<@Nullable String>> suspensions = Sql.rows(moving.target(), SUSPENSIONS, schema, schema);
        for (List<@Nullable String> each : suspensions) {
            Sql.execute(moving.target(), String.valueOf(each.get(0)));
        }
        for (String table : ShardTables.copied(moving.source(), moving.fenced())) {
            copy(table, ShardTables.qualified(moving.fenced(), table), ShardTables.qualified(schema, table));
        }
        for (List<@Nullable String> each : suspensions) {
            Sql.execute(moving.target(), String.valueOf(each.get(1)));
        }
    }

    private void copy(String table, String from, String to) throws SQLException {
        String columns = String.valueOf(Sql.text(moving.source(), COLUMNS, from));
        String out = "COPY " + from + " (" + columns + ") TO STDOUT";
        String in = "COPY " + to + " (" + columns + ") FROM STDIN";
        ShardTables.copy(moving.source(), out, moving.target(), in);
        String digest = "SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM ONLY %s t";
        String here = String.valueOf(Sql.text(moving.source(), digest.formatted(from)));
        String there = String.valueOf(Sql.text(moving.target(), digest.formatted(to)));
        if (!here.equals(there)) {
            throw new MoveUnfinishedException(
                    moving.move() + " has stopped: table " + table
                            + " is not the same in both copies (rows and their digest: " + here + ", but " + there
                            + "). The source keeps the shard. Abort the move.",
                    null);
        }
    }
}
