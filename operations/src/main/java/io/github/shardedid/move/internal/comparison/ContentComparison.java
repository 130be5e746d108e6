package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.MoveMismatchException;
import io.github.shardedid.move.internal.comparison.ComparedSide.BagHash;
import io.github.shardedid.move.internal.comparison.ComparedSide.KeyRange;
import io.github.shardedid.move.internal.comparison.ComparedTable.Column;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the rows of both copies of a shard while the application continues to write. {@link #full()} compares all rows,
 * {@link #round()} those that have changed since, and {@link #last} the rest, under the fence. The slot exists before
 * {@link #full()} begins: each change is either seen by it or reported by the slot. The rows still to be compared are kept in memory,
 * so a process that resumes a move begins with {@link #full()}. Not safe for use by several threads.
 */
public final class ContentComparison implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContentComparison.class);
    private static final int KEYS_IN_MEMORY = 250_000;
    private static final int MANY = 1_000;

    /** The shard is unavailable during {@link #last}, which reads little from servers that are not silent. */
    private static final int SILENCE_MILLIS = 10_000;

    private static final int NAMED = 20;

    private final TwoSides sides;
    private final String publication;
    private final ReplicationStream slot;
    private final ReplicationBarrier barrier;
    private final TableComparison.Chunks chunks;
    private final int limit;
    private final Map<String, PendingRows> pending = new LinkedHashMap<>();

    /**
     * Prepares a comparison; nothing is read yet.
     *
     * @param source the database that owns the shard; one connection is used. Its role may read all tables and the slot
     * @param target the other one; one connection is used
     * @param schema the shard's schema, which has the same name on both sides
     * @param publication its tables are compared, except the move's marker
     * @param slot a logical replication slot at the source with plug-in {@code pgoutput}, which no other client reads
     * @param barrier awaited before a difference is a mismatch
     */
    public ContentComparison(
            DataSource source,
            DataSource target,
            String schema,
            String publication,
            String slot,
            ReplicationBarrier barrier) {
        this(source, target, schema, publication, slot, barrier, TableComparison.Chunks.DEFAULT, KEYS_IN_MEMORY);
    }

    ContentComparison(
            DataSource source,
            DataSource target,
            String schema,
            String publication,
            String slot,
            ReplicationBarrier barrier,
            TableComparison.Chunks chunks,
            int limit) {
        this.sides = new TwoSides(new ComparedSide(source, schema), new ComparedSide(target, schema));
        this.publication = publication;
        this.slot = new ReplicationStream(slot, publication);
        this.barrier = barrier;
        this.chunks = chunks;
        this.limit = limit;
    }

    /**
     * Compares all rows of all tables.
     *
     * @throws MoveMismatchException if rows differ that are not being written
     */
    public void full() throws SQLException {
        readTables();
        for (PendingRows rows : pending.values()) {
            compareWhole(rows, false);
        }
    }

    /**
     * Compares the rows that have changed since the last time. Rows that differ are compared again in the next round; if they still
     * differ then and are not being written, they are a mismatch. A changed table without a key is left to {@link #last}.
     *
     * @return how many rows were compared, by their keys
     * @throws MoveMismatchException if rows differ that are not being written
     */
    public int round() throws SQLException {
        readTables();
        slot.read(sides.source(), pending);
        int compared = 0;
        for (PendingRows rows : pending.values()) {
            compared += round(rows);
        }
        return compared;
    }

    /**
     * Compares the rows that have changed since the last round. Called under the fence, once all writes have arrived at the target.
     * Reads a whole table only if it has no key and has changed.
     *
     * @param sourceSchema the current name of the shard's schema at the source
     * @return how many rows were compared, by their keys
     * @throws MoveMismatchException if any row differs
     */
    public int last(String sourceSchema) throws SQLException {
        readTables();
        sides.ask(side -> side.limitSilence(SILENCE_MILLIS));
        sides.source().renamed(sourceSchema);
        slot.read(sides.source(), pending);
        int compared = 0;
        for (PendingRows rows : pending.values()) {
            Set<List<String>> keys = rows.takeKeys();
            compared += keys.size();
            refuse(rows.table(), on(rows.table()).differing(keys), keys);
            if (rows.takeWhole()) {
                sides.ask(side -> side.limitSilence(0));
                compareWhole(rows, true);
                sides.ask(side -> side.limitSilence(SILENCE_MILLIS));
            }
        }
        return compared;
    }

    private void readTables() throws SQLException {
        if (pending.isEmpty()) {
            String schema = sides.source().schema();
            List<ComparedTable> all = sides.source().read(open -> ComparedTable.published(open, publication, schema));
            for (ComparedTable table : all) {
                pending.put(table.name(), new PendingRows(table, limit));
                if (!table.hasKey()) {
                    LOG.warn(
                            "Table {}.{} has no key: if it is written shortly before the switch, it is read as a whole under the fence",
                            schema,
                            table.name());
                }
            }
        }
    }

    private int round(PendingRows rows) throws SQLException {
        ComparedTable table = rows.table();
        if (table.hasKey() && rows.takeWhole()) {
            compareWhole(rows, false);
        }
        Set<List<String>> keys = rows.takeKeys();
        TableComparison compared = on(table);
        Set<List<String>> differing = compared.differing(keys);
        Set<List<String>> again = rows.differedBefore(differing);
        TableComparison.Verdict verdict = compared.settle(again, barrier);
        refuse(table, verdict.differ(), again);
        differing.removeAll(again);
        differing.addAll(verdict.unsettled());
        rows.differ(differing);
        return keys.size();
    }

    private void compareWhole(PendingRows rows, boolean fenced) throws SQLException {
        TableComparison whole = on(rows.table());
        if (rows.table().hasKey()) {
            compareRanges(rows, whole, fenced);
        } else {
            compareBag(rows, whole, fenced);
        }
    }

    private void compareRanges(PendingRows rows, TableComparison whole, boolean fenced) throws SQLException {
        List<KeyRange> ranges = whole.differingRanges();
        if (!ranges.isEmpty() && !fenced) {
            barrier.await();
        }
        Set<List<String>> mismatches = new HashSet<>();
        for (KeyRange range : ranges) {
            Set<List<String>> differing = whole.differingKeys(range);
            if (!fenced) {
                TableComparison.Verdict verdict = whole.settle(differing, barrier);
                rows.addAll(verdict.unsettled());
                differing = verdict.differ();
            }
            mismatches.addAll(differing);
            if (mismatches.size() >= MANY) {
                break;
            }
        }
        refuse(rows.table(), mismatches, mismatches);
    }

    private void compareBag(PendingRows rows, TableComparison whole, boolean fenced) throws SQLException {
        TwoSides.Answers<BagHash> bags = whole.bags();
        TableComparison.BagVerdict verdict = TableComparison.BagVerdict.EQUAL;
        if (!bags.equal()) {
            verdict = fenced ? TableComparison.BagVerdict.DIFFERENT : whole.settle(barrier);
        }
        if (verdict == TableComparison.BagVerdict.UNSETTLED) {
            rows.whole();
        } else if (verdict == TableComparison.BagVerdict.DIFFERENT) {
            throw mismatch(
                    rows.table(),
                    "some rows, which have no key to name them by: the source has "
                            + bags.source().rows() + " rows, the target "
                            + bags.target().rows() + ".");
        }
    }

    private TableComparison on(ComparedTable table) {
        return new TableComparison(sides, table, chunks);
    }

    /** Names the keys of the rows and no other values. */
    private void refuse(ComparedTable table, Set<List<String>> differing, Set<List<String>> looked)
            throws SQLException {
        if (differing.isEmpty()) {
            return;
        }
        TwoSides.Answers<Integer> counts = on(table).count(looked);
        String named = differing.stream()
                .limit(NAMED)
                .map(key -> "(" + String.join(", ", key) + ")")
                .sorted()
                .collect(Collectors.joining(", "));
        throw mismatch(
                table,
                differing.size() + " of the rows compared: those with "
                        + table.key().stream().map(Column::name).collect(Collectors.joining(", ", "(", ")")) + " = "
                        + named + (differing.size() > NAMED ? ", …" : "") + ". Of the keys looked at the source has "
                        + counts.source() + " rows, the target " + counts.target() + ".");
    }

    private MoveMismatchException mismatch(ComparedTable table, String what) {
        return new MoveMismatchException(
                "Both copies of shard schema " + sides.target().schema() + " differ in table "
                        + table.name() + " in " + what
                        + " Somebody or something else has written to the copy, or replication has left something"
                        + " out. The shard stays where it is: abort the move, look for the cause, and move again.");
    }

    /** Closes both connections. The slot stays. */
    @Override
    public void close() throws SQLException {
        sides.close();
    }

    /** Waits for replication: what the application writes now has arrived at the target afterwards. */
    @FunctionalInterface
    public interface ReplicationBarrier {
        /** Returns when the target has applied everything that is committed at the source now; throws an exception after a timeout. */
        void await() throws SQLException;
    }
}
