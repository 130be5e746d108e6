package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.query.GroupMerge;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import java.sql.SQLException;

/**
 * Which of the merged rows one execution of a query over several shards returns. Each shard must send all rows that may be among them, the ones before an
 * offset included. So an offset is accepted for a few rows only, and without a limit the rows are counted, as all of them are held in memory.
 * Immutable.
 *
 * @param offset how many of the merged rows are left out first
 * @param most how many rows each statement returns at most, those that are left out included
 * @param bounded whether no more rows than that are wanted; else more are too many
 * @param wanted how many rows are returned at most, behind those that are left out
 * @param roots if these are rows of a subselect, how many each shard's returns; else 0
 */
record ScatterBounds(long offset, long most, boolean bounded, long wanted, long roots) {
    private static final String KEYSET =
            "page by key, with ScrollPosition.keyset() and a Window, or WHERE id < the last one";

    /**
     * Returns the bounds of one execution.
     *
     * @param maxRows of the statement; 0 for none
     * @throws UnmergeableQueryException if each shard would have to send too many rows, or rows whose order is not known
     */
    static ScatterBounds of(
            ScatterQuery query, ScatterParameters.Bound parameters, long maxRows, ScatterOptions options)
            throws SQLException {
        Long skipped = parameters.rows(query.offset());
        Long limit = parameters.rows(query.limit());
        long mostRows = maxRows == 0 || query.ofRoots() ? Long.MAX_VALUE : maxRows;
        long wanted = Math.min(limit == null ? Long.MAX_VALUE : limit, mostRows);
        long allowed = options.maxRows();
        long offset = skipped == null ? 0 : skipped;
        GroupMerge merge = query.merge();
        if (merge != null) {
            requireOrder(merge, query, offset);
            return new ScatterBounds(offset, allowed + 1, false, wanted, 0);
        }
        if (query.counts()) {
            return new ScatterBounds(offset, Long.MAX_VALUE, true, wanted, 0);
        }
        if (offset > 0) {
            requirePageable(query, offset, wanted);
            requireFew(query, offset, wanted, options);
        }
        if (query.ofRoots()) {
            return new ScatterBounds(offset, allowed + 1, false, wanted, offset + wanted);
        }
        return offset == 0
                ? new ScatterBounds(0, Math.min(wanted, allowed + 1), wanted <= allowed, wanted, 0)
                : new ScatterBounds(offset, offset + wanted, true, wanted, 0);
    }

    /** Returns the same rows, if they are fetched as they are read and need not fit into memory. */
    ScatterBounds streamed() {
        return new ScatterBounds(offset, roots == 0 ? wanted : Long.MAX_VALUE, true, wanted, roots);
    }

    /** All groups are read, whatever the offset is. */
    private static void requireOrder(GroupMerge merge, ScatterQuery query, long offset) {
        if (offset > 0 && !merge.ordered()) {
            throw refusal(
                    "OFFSET " + offset + " without ORDER BY", query, "The pages would overlap: order the groups.");
        }
    }

    private static void requirePageable(ScatterQuery query, long offset, long wanted) {
        String what = "OFFSET " + offset;
        if (query.keys().isEmpty()) {
            throw refusal(
                    what + " without ORDER BY",
                    query,
                    "The pages would overlap: order the rows, by the id at the end.");
        } else if (wanted == Long.MAX_VALUE) {
            throw refusal(what + " without LIMIT", query, "Add a limit; or " + KEYSET + ".");
        }
    }

    private static void requireFew(ScatterQuery query, long offset, long wanted, ScatterOptions options) {
        long allowed = Math.min(options.maxPageRows(), options.maxRows());
        if (wanted > allowed || offset > allowed - wanted) {
            throw refusal(
                    "OFFSET " + offset + " with " + wanted + " rows",
                    query,
                    "Each shard would have to send the rows before the page, too, which are more than " + allowed
                            + " rows: " + KEYSET
                            + ". Or allow more: sharded-id.all-shards.max-page-rows, up to max-rows"
                            + " (ScatterOptions.maxPageRows, maxRows).");
        }
    }

    private static UnmergeableQueryException refusal(String what, ScatterQuery query, String instead) {
        return ScatterRefusal.of(what, new SqlText(query.text()), instead);
    }
}
