package io.github.shardedid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresIntegrationTests {
    private static final int IDS = 1_000_000;

    /** What reading the counter itself may allocate. */
    private static final long NOISE_BYTES = 10_000;

    @Test
    void everyFigureCanStillBeMeasured(@TempDir Path directory) throws Exception {
        Path page = directory.resolve("page.md");
        Files.writeString(
                page,
                "before\n<!-- figures: written by the benchmarks -->\nbefore it was measured\n<!-- end of the figures -->\nafter\n");
        Report report = new Report();

        Figures.measure(Extent.QUICK, 4, report);
        report.write(directory, page, "PostgreSQL");

        assertThat(report.ratios()).hasSize(27).noneMatch(line -> line.contains("NaN") || line.contains("Infinity"));
        assertThat(report.others()).hasSize(13);
        assertThat(Files.readString(page))
                .startsWith("before\n")
                .endsWith("-->\nafter\n")
                .contains(report.ratios())
                .contains(report.others())
                .doesNotContain("before it was measured");
        assertThat(Files.readString(directory.resolve("raw.txt"))).contains("## one JVM id, 1 thread, 4 shards");
    }

    @Test
    void anIdOfTheJvmAllocatesNothing() throws Exception {
        Database database = Database.create(1);
        ShardedDatabases.withTables(ShardedDatabases.WIDE, 1, database).close();

        assertThat(JvmIdFigures.allocated(database, IDS))
                .as("bytes for %s ids", IDS)
                .isLessThan(NOISE_BYTES);
    }
}
