package io.github.shardedid.test;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Data directories as {@code initdb} leaves them, which all JVMs of a build share: a copy takes a tenth of the time. Each server of a JVM
 * gets a copy of a different one, because the system identifier distinguishes servers.
 */
final class InitializedData {
    /** Where the build keeps them, for one release of PostgreSQL. Without a build, each server runs {@code initdb}. */
    private static final @Nullable String KEPT = System.getProperty("sharded-id.test.initialized");
    /** Servers after these run {@code initdb}. */
    private static final int MOST = 8;

    private static final AtomicInteger SERVERS = new AtomicInteger();

    private InitializedData() {}

    /** Copies one into the directory of a server, unless that server has to run {@code initdb}. */
    static void copyTo(Path server, Duration startup) throws IOException {
        int number = SERVERS.incrementAndGet();
        if (KEPT != null && number <= MOST) {
            copy(initialized(Path.of(KEPT), number, startup), server);
        }
    }

    private static Path initialized(Path parent, int number, Duration startup) throws IOException {
        Path kept = parent.resolve(Integer.toString(number));
        if (!Files.exists(kept)) {
            Path made = Files.createTempDirectory(Files.createDirectories(parent), "new-");
            EmbeddedPostgres.builder()
                    .setDataDirectory(made.resolve("data"))
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(startup)
                    .start()
                    .close();
            Files.deleteIfExists(made.resolve("data/epg-lock"));
            rename(made, kept);
        }
        return kept;
    }

    private static void rename(Path made, Path kept) throws IOException {
        try {
            Files.move(made, kept, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            DataDirectories.delete(made);
            // Another JVM was faster.
            if (!Files.exists(kept)) {
                throw e;
            }
        }
    }

    /** Copies what is in a directory. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(one -> !one.equals(from)).toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
