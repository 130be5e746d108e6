package io.github.shardedid.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A port for a server that may be stopped and started again. It is below those that Linux and macOS give to outgoing connections: one of
 * them, of any process, would otherwise have taken it meanwhile. A locked file keeps it for this JVM, also while nobody listens.
 */
final class FreePort {
    private static final int FIRST = 20_000;
    private static final int NEXT = 32_000;
    private static final Path DIRECTORY =
            Path.of(System.getProperty("java.io.tmpdir"), "sharded-id-ports-" + System.getProperty("user.name"));

    /** Those of this JVM, which are locked until it ends. */
    private static final List<FileLock> LOCKS = new ArrayList<>();

    private FreePort() {}

    static synchronized int find() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, NEXT);
            FileLock lock = tryLock(port);
            if (lock != null) {
                LOCKS.add(lock);
                if (isFree(port)) {
                    return port;
                }
            }
        }
    }

    /** Else it is a server's that is not of our tests. */
    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable FileLock tryLock(int port) {
        try {
            Files.createDirectories(DIRECTORY);
            FileChannel file = FileChannel.open(
                    DIRECTORY.resolve(String.valueOf(port)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(file);
            if (lock == null) {
                file.close();
            }
            return lock;
        } catch (IOException e) {
            throw new UncheckedIOException("No port can be reserved", e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // of this JVM
        }
    }
}
