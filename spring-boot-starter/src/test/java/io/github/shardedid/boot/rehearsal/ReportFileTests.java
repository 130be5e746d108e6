package io.github.shardedid.boot.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTests {
    @TempDir
    private Path directory;

    @Test
    void aBuildHasTheFileInItsDirectoryOfOutputs() throws IOException {
        assertThat(ReportFile.of(null, directory).path()).isNull();
        Files.createFile(directory.resolve("build.gradle.kts"));
        assertThat(ReportFile.of(null, directory).path()).isEqualTo(directory.resolve("build/shard-rehearsal.txt"));
        Files.createFile(directory.resolve("pom.xml"));
        assertThat(ReportFile.of(null, directory).path()).isEqualTo(directory.resolve("target/shard-rehearsal.txt"));
    }

    @Test
    void thePropertyNamesAnotherFileOrNone() {
        assertThat(ReportFile.of("a/b.txt", directory).path()).isEqualTo(directory.resolve("a/b.txt"));
        assertThat(ReportFile.of("", directory).path()).isNull();
        ReportFile.of("", directory).append("nowhere");
    }

    @Test
    void reportsAreAppendedAndWhatCannotBeWrittenEndsNothing() throws IOException {
        ReportFile file = ReportFile.of("reports/file.txt", directory);
        file.append("one");
        file.append("other");
        assertThat(Files.readAllLines(directory.resolve("reports/file.txt"))).hasSize(4);
        ReportFile.of("reports/file.txt/below", directory).append("nowhere");
    }
}
