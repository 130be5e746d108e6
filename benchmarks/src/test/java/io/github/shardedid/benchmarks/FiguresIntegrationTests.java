package io.github.shardedid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.benchmarks.jvmid.JvmIdAllocation;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Part;
import io.github.shardedid.benchmarks.measure.Report;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
@Tag("embedded-only")
class FiguresIntegrationTests {
    private static final Path PAGE = Path.of("../docs/benchmarks.md");
    private static final int IDS = 1_000_000;

    /** What reading the counter itself may allocate. */
    private static final long NOISE_BYTES = 10_000;

    static List<Part> parts() {
        return Figures.PARTS;
    }

    @ParameterizedTest
    @MethodSource("parts")
    void everyPartCanStillBeMeasuredAndHasItsFile(Part part, @TempDir Path directory) throws Exception {
        Report report = new Report(copyOfThePage(directory), directory);
        report.check(part);

        Section section = part.measure(Extent.QUICK);
        report.write(section, "a machine");

        assertThat(section.lines()).isNotEmpty().noneMatch(line -> line.matches("(?s).*(NaN|Infinity|null|\n).*"));
        assertThat(Files.readString(report.tables(part.name())))
                .contains(Report.begin(part.name()) + "a machine")
                .contains(section.lines());
        assertThat(Files.readString(directory.resolve(part.name() + ".txt"))).contains(section.lines());
    }

    @Test
    void theTableOfThePageHasTheFiguresOfTheFiles(@TempDir Path directory) throws IOException {
        Path page = copyOfThePage(directory);

        new Report(page, directory).summarize();

        assertThat(page).hasSameTextualContentAs(PAGE);
    }

    @Test
    void aFileWithoutMarkersIsReportedBeforeAnythingIsMeasured(@TempDir Path directory) throws IOException {
        Part part = Figures.PARTS.get(0);
        Report report = new Report(copyOfThePage(directory), directory);
        Files.writeString(report.tables(part.name()), "nothing");

        assertThatThrownBy(() -> report.check(part))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(part.name() + ".md has no lines '<!-- figures of " + part.name());
    }

    private static Path copyOfThePage(Path directory) throws IOException {
        Path tables = Files.createDirectory(directory.resolve("benchmarks"));
        try (Stream<Path> files = Files.list(PAGE.resolveSibling("benchmarks"))) {
            for (Path file : files.toList()) {
                Files.copy(file, tables.resolve(file.getFileName()));
            }
        }
        return Files.copy(PAGE, directory.resolve("benchmarks.md"));
    }

    @Test
    void partsAreAskedForByTheirNames() {
        assertThat(Figures.wanted(" ")).isEqualTo(Figures.PARTS);
        assertThat(Figures.wanted("find, save")).extracting(Part::name).containsExactly("find", "save");
        assertThatThrownBy(() -> Figures.wanted("finds"))
                .hasMessageContaining("no figures 'finds'. There are ")
                .hasMessageContaining(" save, ");
    }

    @Test
    void anIdOfTheJvmAllocatesNothing() throws Exception {
        Database database = Database.create(1);
        ShardedDatabases.withTables(ShardedDatabases.WIDE, 1, database).close();

        assertThat(JvmIdAllocation.ours(database, IDS))
                .as("bytes for %s ids", IDS)
                .isLessThan(NOISE_BYTES);
    }
}
