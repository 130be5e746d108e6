package io.github.shardedid.boot.test.internal.server;

import io.github.shardedid.boot.test.TestServersException;
import java.io.IOException;
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
 * Reserves a port for a server that a test may stop and start. It is below the ports that Linux and macOS assign to outgoing
 * connections, and a locked file reserves it until this JVM ends, because tests in another JVM look for ports as well.
 */
final class ReservedPort {
    private static final int FIRST = 20_000;
    private static final int NEXT = 32_000;
    private static final Path DIRECTORY =
            Path.of(System.getProperty("java.io.tmpdir"), "sharded-id-ports-" + System.getProperty("user.name"));
    private static final List<FileLock> LOCKS = new ArrayList<>();

    private ReservedPort() {}

    static synchronized int next() {
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
            throw new TestServersException(
                    "Could not reserve a port for a PostgreSQL server of a test; see the cause.", e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another thread of this JVM has it
        }
    }
}
