package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.internal.comparison.ComparedSide.KeyRange;
import io.github.shardedid.move.internal.comparison.ComparedSide.Sum;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the rows of both copies of a shard while the application continues to write. {@link #full()} compares all rows,
 * {@link #round()} those that have changed since, and {@link #last} the rest, under the fence.
 *
 * <ol>
 *   <li>The slot at the source is read: it names the rows that have changed since it was read before. They are to be compared.
 *   <li>The barrier is awaited: everything that was committed at the source until then is at the target.
 *   <li>The rows are compared.
 *   <li>The slot is read again. A row that differed and was not changed since is a mismatch. All others may have been on their way, and are
 *       compared again in the next round.
 * </ol>
 *
 * <p>The slot exists before {@link #full()} begins, so each change is seen by it or reported by the slot. The rows still to be compared are
 * kept in memory: a process that resumes a move begins with {@link #full()}. Not safe for use by several threads.
 */
public final class ContentComparison implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContentComparison.class);
    public static final int KEYS_IN_MEMORY = 250_000;

    /** The rows of one statement, which reads them in a second, so that no snapshot becomes old. */
    public static final int ROWS_IN_A_RANGE = 20_000;

    /** The shard is unavailable during {@link #last}, which reads little from servers that are not silent. */
    private static final int SILENCE_MILLIS = 10_000;

    private static final int NAMED = 20;
    private static final KeyRange ALL = new KeyRange(null, null);

    /** In place of the keys of a table without one. */
    private static final List<String> BAG = List.of();

    private final ComparedSide source;
    private final ComparedSide target;
    private final String publication;
    private final ReplicationStream slot;
    private final Sql.Work barrier;
    private final int rowsInARange;
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
     * @param barrier run before rows are compared: returns when the target has applied everything that is committed at the source now
     * @param rowsInARange the rows that one statement reads at most
     * @param limit how many keys are kept in memory for each table
     */
    public ContentComparison(
            DataSource source,
            DataSource target,
            String schema,
            String publication,
            String slot,
            Sql.Work barrier,
            int rowsInARange,
            int limit) {
        this.source = new ComparedSide(source, schema);
        this.target = new ComparedSide(target, schema);
        this.publication = publication;
        this.slot = new ReplicationStream(slot, publication);
        this.barrier = barrier;
        this.rowsInARange = rowsInARange;
        this.limit = limit;
    }

    /**
     * Compares all rows of all tables.
     *
     * @throws MoveUnfinishedException if rows differ that have not been written since
     */
    public void full() throws SQLException {
        readTables();
        pending.values().forEach(PendingRows::whole);
        compare(true);
    }

    /**
     * Compares the rows that have changed since the last time. A changed table without a key is left to {@link #last}.
     *
     * @return how many rows were compared, by their keys
     * @throws MoveUnfinishedException if rows differ that have not been written since
     */
    public int round() throws SQLException {
        readTables();
        slot.read(source, pending);
        return compare(false);
    }

    private int compare(boolean bags) throws SQLException {
        barrier.run();
        int compared = 0;
        Map<PendingRows, Set<List<String>>> differing = new LinkedHashMap<>();
        for (PendingRows rows : pending.values()) {
            if (bags || rows.table().hasKey()) {
                Set<List<String>> keys = rows.takeKeys();
                compared += keys.size();
                differing.put(rows, differing(rows.table(), keys, rows.takeWhole()));
            }
        }
        slot.read(source, pending);
        for (Map.Entry<PendingRows, Set<List<String>>> each : differing.entrySet()) {
            PendingRows rows = each.getKey();
            boolean all = each.getValue().size() < limit;
            each.getValue().removeIf(rows::contains);
            refuse(rows.table(), each.getValue());
            if (!all) {
                rows.whole();
            }
        }
        return compared;
    }

    /**
     * Compares the rows that have changed since the last round. Called under the fence, once all writes have arrived at the target.
     * Reads a whole table only if it has no key and has changed, or if too many of its rows have.
     *
     * @param sourceSchema the current name of the shard's schema at the source
     * @return how many rows were compared, by their keys
     * @throws MoveUnfinishedException if any row differs
     */
    public int last(String sourceSchema) throws SQLException {
        readTables();
        limitSilence(SILENCE_MILLIS);
        source.renamed(sourceSchema);
        slot.read(source, pending);
        int compared = 0;
        for (PendingRows rows : pending.values()) {
            Set<List<String>> keys = rows.takeKeys();
            compared += keys.size();
            boolean whole = rows.takeWhole();
            limitSilence(whole ? 0 : SILENCE_MILLIS);
            refuse(rows.table(), differing(rows.table(), keys, whole));
        }
        return compared;
    }

    private void limitSilence(int millis) throws SQLException {
        source.limitSilence(millis);
        target.limitSilence(millis);
    }

    private void readTables() throws SQLException {
        if (pending.isEmpty()) {
            String schema = source.schema();
            for (ComparedTable table : source.read(open -> ComparedTable.published(open, publication, schema))) {
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

    private Answers<Sum> sums(ComparedTable table) throws SQLException {
        return ask(side -> side.sumOf(table, ALL));
    }

    private Set<List<String>> differing(ComparedTable table, Set<List<String>> keys, boolean whole)
            throws SQLException {
        if (!whole || table.hasKey()) {
            return whole ? differing(table) : differing(table, keys);
        }
        return new HashSet<>(sums(table).equal() ? Set.of() : Set.of(BAG));
    }

    /** The keys of all rows that differ at this moment; of a table that differs everywhere, the first ones. */
    private Set<List<String>> differing(ComparedTable table) throws SQLException {
        Set<List<String>> differing = new HashSet<>();
        List<String> after = null;
        do {
            KeyRange range = next(table, new KeyRange(after, null));
            if (!ask(side -> side.sumOf(table, range)).equal()) {
                differing.addAll(differing(table, range));
            }
            after = range.to();
        } while (after != null && differing.size() < limit);
        return differing;
    }

    /** The first range of those left. It also is a range in the order of the target, so that each of the target's rows is in one range. */
    private KeyRange next(ComparedTable table, KeyRange left) throws SQLException {
        for (int rows = rowsInARange; ; rows += rowsInARange) {
            List<String> to = source.keyAfter(table, left, rows);
            KeyRange range = new KeyRange(left.after(), to);
            if (to == null || target.inOrder(table, range)) {
                return range;
            }
        }
    }

    private Set<List<String>> differing(ComparedTable table, KeyRange range) throws SQLException {
        Answers<Map<List<String>, Long>> all = ask(side -> side.rowsOf(table, range));
        Set<List<String>> keys = new HashSet<>(all.source().keySet());
        keys.addAll(all.target().keySet());
        // If the sides sort texts in different ways, a row may be in different ranges.
        return differing(table, unequal(keys, all));
    }

    private static Set<List<String>> unequal(Collection<List<String>> keys, Answers<Map<List<String>, Long>> rows) {
        return keys.stream()
                .filter(key ->
                        !Objects.equals(rows.source().get(key), rows.target().get(key)))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** The keys whose rows differ at this moment. */
    private Set<List<String>> differing(ComparedTable table, Collection<List<String>> keys) throws SQLException {
        return keys.isEmpty() ? new HashSet<>() : unequal(keys, ask(side -> side.rowsWith(table, keys)));
    }

    /** Names the keys of the rows and no other values. */
    private void refuse(ComparedTable table, Set<List<String>> differing) throws SQLException {
        if (differing.isEmpty()) {
            return;
        }
        String what;
        if (table.hasKey()) {
            Answers<Integer> counts =
                    ask(side -> side.rowsWith(table, differing).size());
            what = differing.size() + " of the rows compared: those with "
                    + "(" + String.join(", ", table.key()) + ")" + " = "
                    + differing.stream()
                            .limit(NAMED)
                            .map(key -> "(" + String.join(", ", key) + ")")
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + (differing.size() > NAMED ? ", …" : "") + ". Of these keys the source has " + counts.source()
                    + " rows, the target " + counts.target() + ".";
        } else {
            Answers<Sum> sums = sums(table);
            what = "some rows, which have no key to name them by: the source has "
                    + sums.source().rows() + " rows, the target "
                    + sums.target().rows() + ".";
        }
        throw new MoveUnfinishedException(
                "Both copies of shard schema " + target.schema() + " differ in table "
                        + table.name() + " in " + what
                        + " Somebody or something else has written to the copy, or replication has left something"
                        + " out. The shard stays where it is: abort the move, look for the cause, and move again.",
                null);
    }

    private record Answers<T>(T source, T target) {
        boolean equal() {
            return source.equals(target);
        }
    }

    private <T> Answers<T> ask(Sql.Reader<ComparedSide, T> question) throws SQLException {
        return new Answers<>(question.read(source), question.read(target));
    }

    /** Returns whether the tables of a publication have the same rows in a schema of two databases, at about the same time. */
    public static boolean isSame(
            DataSource source, DataSource target, Connection connection, String publication, String schema)
            throws SQLException {
        try (ComparedSide original = new ComparedSide(source, schema);
                ComparedSide copy = new ComparedSide(target, schema)) {
            for (ComparedTable table : ComparedTable.published(connection, publication, schema)) {
                if (!original.sumOf(table, ALL).equals(copy.sumOf(table, ALL))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Closes both connections. The slot stays. */
    @Override
    public void close() throws SQLException {
        try (source) {
            target.close();
        }
    }
}
