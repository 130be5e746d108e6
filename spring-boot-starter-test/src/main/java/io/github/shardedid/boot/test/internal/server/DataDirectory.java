package io.github.shardedid.boot.test.internal.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A temporary directory for an embedded server. Its name contains the process id of the JVM, so that the next JVM can remove
 * the directory and the server of a killed JVM.
 */
record DataDirectory(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final String PREFIX = "sharded-id-test-";
    private static final Pattern OF_JVM = Pattern.compile(PREFIX + "([0-9]+)-.*");
    private static final Path PARENT = Path.of(System.getProperty("java.io.tmpdir"));

    static DataDirectory create() {
        try {
            leftBehind().forEach(DataDirectory::remove);
            return new DataDirectory(Files.createTempDirectory(
                    PARENT, PREFIX + ProcessHandle.current().pid() + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Could not create a directory in " + PARENT + " for an embedded PostgreSQL", e);
        }
    }

    private static List<DataDirectory> leftBehind() throws IOException {
        try (Stream<Path> all = Files.list(PARENT)) {
            return all.filter(DataDirectory::isLeftBehind)
                    .map(DataDirectory::new)
                    .toList();
        }
    }

    private static boolean isLeftBehind(Path path) {
        Matcher name = OF_JVM.matcher(path.getFileName().toString());
        return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
    }

    Path data() {
        return path.resolve("data");
    }

    /** Also stops the server that uses the directory, if it is still running. */
    void remove() {
        server().ifPresent(ProcessHandle::destroyForcibly);
        try {
            FileSystemUtils.deleteRecursively(path);
        } catch (IOException e) {
            LOG.debug("Not removed: {}", path, e);
        }
    }

    private Optional<ProcessHandle> server() {
        try {
            String pid = Files.readAllLines(data().resolve("postmaster.pid")).get(0);
            // The process id may have been reused by another process.
            return ProcessHandle.of(Long.parseLong(pid.strip()))
                    .filter(process -> process.info().commandLine().orElse("").contains(path.toString()));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
