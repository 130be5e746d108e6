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
    void everyPartCanStillBeMeasuredAndHasItsPlaceOnThePage(Part part, @TempDir Path directory) throws Exception {
        Path page = Files.copy(PAGE, directory.resolve("page.md"));
        String before = Files.readString(page);
        Report report = new Report(page, directory);
        report.check(part);

        Section section = part.measure(Extent.QUICK);
        report.write(section, "a machine");

        assertThat(section.lines()).isNotEmpty().noneMatch(line -> line.matches("(?s).*(NaN|Infinity|null|\n).*"));
        assertThat(Files.readString(page))
                .contains(Report.begin(part.name()) + "a machine")
                .contains(section.lines());
        Figures.PARTS.stream().filter(other -> !other.equals(part)).forEach(other -> assertThat(page)
                .as("the figures of %s", other.name())
                .content()
                .contains(before.substring(
                        before.indexOf(Report.begin(other.name())),
                        before.indexOf("<!-- end", before.indexOf(Report.begin(other.name()))))));
        assertThat(Files.readString(directory.resolve(part.name() + ".txt"))).contains(section.lines());
    }

    @Test
    void aPageWithoutAPlaceIsToldBeforeAnythingIsMeasured(@TempDir Path directory) throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"), "nothing");

        assertThatThrownBy(() -> new Report(page, directory).check(Figures.PARTS.get(0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page.md has no lines '<!-- figures of "
                        + Figures.PARTS.get(0).name());
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
