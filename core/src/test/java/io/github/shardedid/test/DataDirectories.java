package io.github.shardedid.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of the embedded servers' data. Each is named after the JVM that made it, so that what a killed JVM left behind,
 * its servers included, is cleared away by the next: a build must not fill the disk of the machine.
 */
final class DataDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectories.class);
    private static final String PREFIX = "sharded-id-postgres-";
    private static final Path PARENT = Path.of(System.getProperty("java.io.tmpdir"));

    static {
        leftBehind().forEach(directory -> {
            postmasterOf(directory).ifPresent(ProcessHandle::destroyForcibly);
            delete(directory);
        });
    }

    private DataDirectories() {}

    static Path create() {
        try {
            return Files.createTempDirectory(
                    PARENT, PREFIX + ProcessHandle.current().pid() + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("No directory in " + PARENT + " for the data of an embedded PostgreSQL", e);
        }
    }

    /** Removes a directory and what is in it, as far as nobody else does at the same time. */
    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Not removed: {}", directory, e);
        }
    }

    /** The server process that works on a directory's data. */
    static Optional<ProcessHandle> postmasterOf(Path directory) {
        try {
            String pid =
                    Files.readAllLines(directory.resolve("data/postmaster.pid")).get(0);
            // After a reboot, the number may be a stranger's.
            return ProcessHandle.of(Long.parseLong(pid.strip()))
                    .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static List<Path> leftBehind() {
        try (Stream<Path> all = Files.list(PARENT)) {
            return all.filter(path -> path.getFileName().toString().startsWith(PREFIX))
                    .filter(path -> ProcessHandle.of(ownerOf(path)).isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ownerOf(Path directory) {
        String name = directory.getFileName().toString().substring(PREFIX.length());
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }
}
