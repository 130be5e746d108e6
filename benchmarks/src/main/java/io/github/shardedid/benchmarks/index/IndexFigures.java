package io.github.shardedid.benchmarks.index;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Tables that grow side by side, batch by batch: with our ids, made row by row or reserved for a batch, those of a
 * {@code bigserial}, random UUIDs, and UUIDs that begin with the time. All ids are made by the database.
 */
public final class IndexFigures implements AutoCloseable {
    private static final int BATCHES = 100;
    private static final int ROWS_OF_A_BATCH = 100_000;
    /** What the embedded servers of other benchmarks have is so small that there would be little else but checkpoints. */
    private static final Map<String, String> SETTINGS = Map.of("max_wal_size", "1GB", "min_wal_size", "80MB");

    private final Connection connection;
    private final Map<IdKind, FilledTable> tables = new EnumMap<>(IdKind.class);
    private final Rounds inserted = new Rounds();
    private final Rounds lastInserted = new Rounds();

    IndexFigures(Database database) throws SQLException {
        ShardedDatabases.withTables(IdLayout.DEFAULT, 1, database).close();
        connection = database.connect();
        for (IdKind kind : IdKind.values()) {
            kind.createTable(database);
            tables.put(kind, new FilledTable(kind, connection));
        }
    }

    /** Measures the growth of the tables, and reads of their rows. */
    public static void measure(Extent extent, Section section) throws Exception {
        if (Database.embedded()) {
            try (PostgresServer server = PostgresServers.start(SETTINGS)) {
                measure(extent, section, new Database(server.newDatabase().url()));
            }
        } else {
            measure(extent, section, Database.create(1));
        }
    }

    private static void measure(Extent extent, Section section, Database database) throws Exception {
        try (IndexFigures figures = new IndexFigures(database)) {
            figures.grow(extent, section);
        }
    }

    private void grow(Extent extent, Section section) throws Exception {
        int batches = Math.max(10, extent.of(BATCHES));
        int rows = extent.of(ROWS_OF_A_BATCH);
        fill(batches, rows);
        String what = "insert of " + rows + " rows ";
        section.ratio(what + "÷ `bigserial`", null, inserted, IdKind.OURS.label, IdKind.BIGSERIAL.label, "µs per row");
        section.ratio(what + "÷ UUIDv4", 1.0, inserted, IdKind.OURS.label, IdKind.UUID_V4.label, "µs per row");
        section.ratio(what + "÷ UUIDv7", null, inserted, IdKind.OURS.label, IdKind.UUID_V7.label, "µs per row");
        section.ratio(
                what + "with ids reserved by `next_ids` ÷ UUIDv7",
                1.0,
                inserted,
                IdKind.RESERVED.label,
                IdKind.UUID_V7.label,
                "µs per row");
        section.ways(Arrays.stream(IdKind.values()).map(kind -> kind.label).toList());
        noteGrowth(section);
        long all = (long) batches * rows;
        reads(extent, section, "any row", 0);
        reads(extent, section, "any of the newest 1 % of the rows", all - all / 100);
        section.compared("size of the primary key's index ÷ that of one newly built", of(FilledTable::bloat));
        section.raw("insert of " + all + " rows, µs per row of a batch", inserted);
    }

    /** Inserts batches of each kind alternately. The last tenth of the batches is also recorded separately. */
    void fill(int batches, int rows) throws SQLException {
        for (int batch = 0; batch < batches; batch++) {
            for (Map.Entry<IdKind, FilledTable> each : tables.entrySet()) {
                double micros = each.getValue().insert(rows);
                inserted.add(each.getKey().label, micros);
                if (batch >= batches - batches / 10) {
                    lastInserted.add(each.getKey().label, micros);
                }
            }
        }
        for (FilledTable table : tables.values()) {
            table.requireAllRows();
            table.vacuum();
        }
    }

    private void noteGrowth(Section section) throws Exception {
        section.compared("bytes of the primary key's index per row", of(FilledTable::indexBytesOfARow));
        section.compared("bytes of the table per row, without the index", of(FilledTable::tableBytesOfARow));
        section.compared("bytes of WAL per row", of(FilledTable::walBytesOfARow));
        section.compared("whole pages written to the WAL per 1,000 rows", of(FilledTable::fullPagesOfAThousandRows));
        section.compared(
                "pages of the index per 1,000 rows that were not in the shared buffers",
                of(FilledTable::indexPagesOfAThousandRows));
        section.compared("insert, µs per row, median of all batches", medians(inserted));
        section.compared("insert, µs per row, median of the last tenth of the batches", medians(lastInserted));
    }

    /** Reads rows by their ids, the kinds in turn. */
    private void reads(Extent extent, Section section, String what, long from) throws Exception {
        int repetitions = extent.rounds(20);
        int size = extent.of(1_000);
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        List<ReadRows> reads = new ArrayList<>();
        for (Map.Entry<IdKind, FilledTable> each : tables.entrySet()) {
            ReadRows read = each.getValue().reads(from, (repetitions + 1) * size);
            reads.add(read);
            ways.put(each.getKey().label, () -> read.next(size));
        }
        Rounds rounds = Rounds.run(repetitions, ways);
        section.compared("read of " + what + " by its id, µs", medians(rounds));
        section.compared(
                "pages that it looked at",
                reads.stream().map(ReadRows::pagesOfARead).toList());
        section.compared(
                "pages that were not in the shared buffers",
                reads.stream().map(ReadRows::missesOfARead).toList());
        section.raw("read of " + what + ", µs", rounds);
    }

    private List<Double> of(Figure figure) throws Exception {
        List<Double> figures = new ArrayList<>();
        for (FilledTable table : tables.values()) {
            figures.add(figure.of(table));
        }
        return figures;
    }

    private static List<Double> medians(Rounds rounds) {
        return Arrays.stream(IdKind.values())
                .map(kind -> rounds.median(kind.label))
                .toList();
    }

    FilledTable table(IdKind kind) {
        return Objects.requireNonNull(tables.get(kind));
    }

    @FunctionalInterface
    private interface Figure {
        double of(FilledTable table) throws Exception;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
