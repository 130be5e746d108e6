package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.MoveMismatchException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the rows of both copies of a shard while the application continues to write: all of them once, then again and again those
 * that have changed since, and under the fence only what is left. The source is read by {@link #full()} no earlier than the slot
 * begins, so a change is either seen there or reported by the slot. What is still to be compared is in memory: a process that resumes a
 * move begins with {@link #full()}. Not safe for use by several threads.
 */
public final class ContentComparison implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContentComparison.class);
    private static final int KEYS_IN_MEMORY = 250_000;
    private static final int MANY = 1_000;

    private final TwoSides sides;
    private final String publication;
    private final ChangeSlot slot;
    private final Barrier barrier;
    private final WholeTable.Chunks chunks;
    private final int limit;
    private final Map<String, ComparedTable> tables = new LinkedHashMap<>();
    private final Map<String, PendingRows> pending = new HashMap<>();
    private final Map<String, Set<List<String>>> differedBefore = new HashMap<>();

    /**
     * Prepares a comparison; nothing is read yet.
     *
     * @param source connections to the database that owns the shard; one is used, and closed in the end. Its role may read all
     *     tables and the slot
     * @param target connections to the other one; one is used
     * @param schema the shard's schema, of the same name on both sides
     * @param publication whose tables are compared, but for the move's marker
     * @param slot a logical replication slot at the source with plug-in {@code pgoutput}, which no other client reads
     * @param barrier awaited before rows are taken to differ
     */
    public ContentComparison(
            ConnectionSource source,
            ConnectionSource target,
            String schema,
            String publication,
            String slot,
            Barrier barrier) {
        this(source, target, schema, publication, slot, barrier, WholeTable.Chunks.DEFAULT, KEYS_IN_MEMORY);
    }

    ContentComparison(
            ConnectionSource source,
            ConnectionSource target,
            String schema,
            String publication,
            String slot,
            Barrier barrier,
            WholeTable.Chunks chunks,
            int limit) {
        this.sides = new TwoSides(new ComparedSide(source, schema), new ComparedSide(target, schema));
        this.publication = publication;
        this.slot = new ChangeSlot(slot, publication);
        this.barrier = barrier;
        this.chunks = chunks;
        this.limit = limit;
    }

    /**
     * Compares all rows of all tables.
     *
     * @return how many rows the source had
     * @throws MoveMismatchException if rows differ, and not because they are being written
     */
    public long full() throws SQLException {
        readTables();
        long rows = 0;
        for (ComparedTable table : tables.values()) {
            rows += compareWhole(table, false);
        }
        return rows;
    }

    /**
     * Compares the rows that have changed since the last time. Those that differ stay for the next round; if they still differ then,
     * and are not being written, they are a mismatch. A changed table without a key stays, too.
     *
     * @return how many rows were compared, by their keys
     * @throws MoveMismatchException if rows differ, and not because they are being written
     */
    public int round() throws SQLException {
        readTables();
        slot.read(sides.source(), pending);
        int looked = 0;
        for (ComparedTable table : tables.values()) {
            looked += round(table);
        }
        return looked;
    }

    /** How many rows differed when they were last compared, and are to be compared again. */
    public int unsettled() {
        return pending.values().stream().mapToInt(PendingRows::size).sum();
    }

    /**
     * Compares under the fence what has changed since the last round, when writes are blocked and all of them have arrived at the target.
     * What it costs depends on what is left to compare; only a table without a key that has been written since is read as a whole.
     *
     * @param sourceSchema the present name of the shard's schema at the source
     * @return how many rows were compared, by their keys
     * @throws MoveMismatchException if any row differs
     */
    public int last(String sourceSchema) throws SQLException {
        readTables();
        sides.source().renamed(sourceSchema);
        slot.read(sides.source(), pending);
        int looked = 0;
        for (ComparedTable table : tables.values()) {
            PendingRows rows = pendingOf(table);
            Set<List<String>> keys = rows.takeKeys();
            looked += keys.size();
            refuse(table, new KeyedRows(sides, table).differing(keys), keys);
            if (rows.takeWhole()) {
                looked += (int) Math.min(Integer.MAX_VALUE / 2, compareWhole(table, true));
            }
        }
        return looked;
    }

    private void readTables() throws SQLException {
        if (tables.isEmpty()) {
            String schema = sides.source().schema();
            List<ComparedTable> all = sides.source().read(open -> ComparedTable.published(open, publication, schema));
            for (ComparedTable table : all) {
                tables.put(table.name(), table);
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

    private int round(ComparedTable table) throws SQLException {
        PendingRows rows = pendingOf(table);
        if (table.hasKey() && rows.takeWhole()) {
            compareWhole(table, false);
        }
        Set<List<String>> keys = rows.takeKeys();
        KeyedRows compared = new KeyedRows(sides, table);
        Set<List<String>> differing = compared.differing(keys);
        Set<List<String>> again = new HashSet<>(differing);
        again.retainAll(differedBefore.getOrDefault(table.name(), Set.of()));
        KeyedRows.Verdict verdict = compared.settle(again, barrier);
        refuse(table, verdict.differ(), again);
        differing.removeAll(again);
        differing.addAll(verdict.unsettled());
        differedBefore.put(table.name(), differing);
        rows.addAll(differing);
        return keys.size();
    }

    private long compareWhole(ComparedTable table, boolean fenced) throws SQLException {
        WholeTable whole = new WholeTable(sides, table, chunks);
        if (table.hasKey()) {
            compareRanges(table, whole, fenced);
        } else {
            compareBag(table, whole, fenced);
        }
        return whole.rows();
    }

    private void compareRanges(ComparedTable table, WholeTable whole, boolean fenced) throws SQLException {
        List<KeyRange> ranges = whole.differingRanges();
        if (!ranges.isEmpty() && !fenced) {
            barrier.await();
        }
        Set<List<String>> mismatches = new HashSet<>();
        for (KeyRange range : ranges) {
            Set<List<String>> differing = whole.differingKeys(range);
            if (!fenced) {
                KeyedRows.Verdict verdict = new KeyedRows(sides, table).settle(differing, barrier);
                pendingOf(table).addAll(verdict.unsettled());
                differing = verdict.differ();
            }
            mismatches.addAll(differing);
            if (mismatches.size() >= MANY) {
                break;
            }
        }
        refuse(table, mismatches, mismatches);
    }

    private void compareBag(ComparedTable table, WholeTable whole, boolean fenced) throws SQLException {
        TwoSides.Answers<BagHash> bags = whole.bags();
        WholeTable.BagVerdict verdict = WholeTable.BagVerdict.EQUAL;
        if (!bags.equal()) {
            verdict = fenced ? WholeTable.BagVerdict.DIFFERENT : whole.settle(barrier);
        }
        if (verdict == WholeTable.BagVerdict.UNSETTLED) {
            pendingOf(table).whole();
        } else if (verdict == WholeTable.BagVerdict.DIFFERENT) {
            throw Mismatches.ofBags(sides, table, bags);
        }
    }

    private PendingRows pendingOf(ComparedTable table) {
        return java.util.Objects.requireNonNull(pending.get(table.name()));
    }

    private void refuse(ComparedTable table, Set<List<String>> differing, Set<List<String>> looked)
            throws SQLException {
        if (!differing.isEmpty()) {
            throw Mismatches.ofKeys(
                    sides, table, new ArrayList<>(differing), new KeyedRows(sides, table).count(looked));
        }
    }

    /** Closes both connections. The slot stays. */
    @Override
    public void close() throws SQLException {
        sides.close();
    }
}
