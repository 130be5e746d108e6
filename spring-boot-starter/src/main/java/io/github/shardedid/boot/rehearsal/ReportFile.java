package io.github.shardedid.boot.rehearsal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the reports. Build tools do not show what tests log in the shutdown hook of the JVM, where their contexts are closed.
 *
 * @param path null to write no file
 */
record ReportFile(@Nullable Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(ReportFile.class);
    /** The property that names the file. */
    static final String PROPERTY = "sharded-id.rehearsal-report";

    private static final String NAME = "shard-rehearsal.txt";

    /**
     * The configured file, else one in the build directory of Maven or Gradle.
     *
     * @param configured a path; empty for no file, null if none is configured
     * @param directory the working directory
     */
    static ReportFile of(@Nullable String configured, Path directory) {
        if (configured != null) {
            return new ReportFile(configured.isBlank() ? null : directory.resolve(configured.strip()));
        }
        if (Files.isRegularFile(directory.resolve("pom.xml"))) {
            return new ReportFile(directory.resolve("target").resolve(NAME));
        }
        boolean gradle = Files.isRegularFile(directory.resolve("build.gradle"))
                || Files.isRegularFile(directory.resolve("build.gradle.kts"));
        return new ReportFile(gradle ? directory.resolve("build").resolve(NAME) : null);
    }

    /** Appends, since a run of tests has several contexts, in several JVMs. */
    void append(String report) {
        if (path == null) {
            return;
        }
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        try {
            Path parent = path.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(
                    path,
                    now + " " + report + System.lineSeparator() + System.lineSeparator(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.warn(
                    "The report of the rehearsal cannot be written to {}. Name another file with {}",
                    path,
                    PROPERTY,
                    e);
        }
    }
}
