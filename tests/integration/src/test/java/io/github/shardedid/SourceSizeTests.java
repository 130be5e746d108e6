package io.github.shardedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class may be long if it is one thing, but not without end. About 150 lines are usual here; a package has at most 25 files. */
class SourceSizeTests {
    private static final int LIMIT = 600;
    private static final int MOST_FILES = 25;

    @Test
    void mainSourcesOfAllModulesStayUnder600Lines() throws IOException {
        List<SourceFile> longestFirst = mainSources();

        assertThat(longestFirst).as("Java files found under %s", Project.ROOT).isNotEmpty();
        assertThat(longestFirst.get(0).lines())
                .as("lines of the longest files: %s", longestFirst.subList(0, Math.min(10, longestFirst.size())))
                .isLessThan(LIMIT);
    }

    @Test
    void packagesOfAllModulesHaveAtMost25Files() throws IOException {
        Map<Path, Long> sizes = mainSources().stream()
                .collect(Collectors.groupingBy(file -> file.path().getParent(), Collectors.counting()));

        assertThat(sizes).hasSizeGreaterThan(30).allSatisfy((name, files) -> assertThat(files)
                .isLessThanOrEqualTo(MOST_FILES));
    }

    private static List<SourceFile> mainSources() throws IOException {
        return Project.modulesWith("src/main/java").stream()
                .flatMap(SourceSizeTests::javaFiles)
                .map(file -> SourceFile.of(Project.ROOT, file))
                .sorted(Comparator.comparingLong(SourceFile::lines).reversed())
                .toList();
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record SourceFile(Path path, long lines) {
        static SourceFile of(Path root, Path file) {
            try (Stream<String> lines = Files.lines(file)) {
                return new SourceFile(root.relativize(file), lines.count());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return "\n  " + lines + " " + path;
        }
    }
}
