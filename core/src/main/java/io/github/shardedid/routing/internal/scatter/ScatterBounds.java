package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.WayOut;
import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.query.GroupMerge;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import java.sql.SQLException;

/**
 * The bounds of the merged rows that one execution of a query over several shards returns. Each shard must send
 * all rows that may be among them, the ones before an offset included. So an offset is accepted for a few rows
 * only, and without a limit the rows are counted, as all of them are held in memory. Immutable.
 *
 * @param offset how many of the merged rows are left out first
 * @param most how many rows each statement returns at most, those that are left out included
 * @param bounded whether no more rows than that are wanted; else more are too many
 * @param wanted how many rows are returned at most, behind those that are left out
 */
record ScatterBounds(long offset, long most, boolean bounded, long wanted) {
    /**
     * Returns the bounds of one execution.
     *
     * @param maxRows of the statement; 0 for none
     * @throws UnsupportedStatementException if each shard would have to send too many rows, or rows whose order is
     *     not known
     */
    static ScatterBounds of(ScatterQuery query, ScatterParameters parameters, long maxRows, ScatterOptions options)
            throws SQLException {
        Long skipped = parameters.rows(query.offset());
        Long limit = parameters.rows(query.limit());
        long wanted = Math.min(limit == null ? Long.MAX_VALUE : limit, maxRows == 0 ? Long.MAX_VALUE : maxRows);
        long allowed = options.maxRows();
        long offset = skipped == null ? 0 : skipped;
        GroupMerge merge = query.merge();
        if (offset > 0) {
            boolean ordered = merge == null ? !query.keys().isEmpty() : merge.ordered();
            // All groups are read, whatever the offset is.
            boolean few = merge != null || (wanted <= allowed && offset <= allowed - wanted);
            if (!ordered || !few) {
                throw ScatterRefusal.of(
                        "OFFSET " + offset
                                + (ordered
                                        ? " with " + (wanted == Long.MAX_VALUE ? "all" : wanted) + " rows"
                                        : " without ORDER BY"),
                        new SqlText(query.text()),
                        "Each shard would have to send the rows before the page, too, in an order, and no more than "
                                + allowed
                                + " rows: page by key, with ScrollPosition.keyset() and a Window, or WHERE id < the"
                                + " last one; or order by the id at the end, and allow more rows: "
                                + WayOut.MAX_ROWS.of() + ".");
            }
        }
        boolean counted = merge != null || (offset == 0 && wanted > allowed);
        return new ScatterBounds(offset, counted ? allowed + 1 : offset + wanted, !counted, wanted);
    }

    /** Returns the same rows, if they are fetched as they are read and need not fit into memory. */
    ScatterBounds streamed() {
        return new ScatterBounds(offset, wanted, true, wanted);
    }
}
