package io.github.shardedid.test;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL from Maven Central's binaries, as a process of this machine: the release of the class path, or one that is named. */
final class EmbeddedPostgresServer implements PostgresServer {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);
    /** A starved machine may take minutes over what is done in a second. */
    private static final Duration STARTUP = Duration.ofMinutes(3);

    private final Path data;
    private final Thread atExit;
    private final Map<String, String> settings;
    private final @Nullable PgBinaryResolver binaries;
    private EmbeddedPostgres process;

    EmbeddedPostgresServer() {
        this(Map.of());
    }

    EmbeddedPostgresServer(Map<String, String> settings) {
        this(initialized(), settings, null);
    }

    EmbeddedPostgresServer(PgBinaryResolver binaries) {
        this(DataDirectories.create(), Map.of(), binaries);
    }

    private EmbeddedPostgresServer(Path data, Map<String, String> settings, @Nullable PgBinaryResolver binaries) {
        this.data = data;
        this.settings = settings;
        this.binaries = binaries;
        this.atExit = new Thread(this::remove, "stop-" + data.getFileName());
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            process = launch(FreePort.find());
        } catch (IOException e) {
            throw new UncheckedIOException("No embedded PostgreSQL could be started", e);
        }
    }

    private static Path initialized() {
        Path directory = DataDirectories.create();
        try {
            InitializedData.copyTo(directory, STARTUP);
        } catch (IOException e) {
            throw new UncheckedIOException("No data directory for an embedded PostgreSQL", e);
        }
        return directory;
    }

    private EmbeddedPostgres launch(int port) throws IOException {
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data.resolve("data"))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(STARTUP)
                .setServerConfig("max_connections", "300")
                .setServerConfig("max_wal_size", "96MB")
                .setServerConfig("min_wal_size", "32MB")
                .setServerConfig("wal_level", "logical")
                .setServerConfig("synchronous_commit", "on");
        settings.forEach(builder::setServerConfig);
        if (binaries != null) {
            builder.setPgBinaryResolver(binaries);
        }
        return builder.setPort(port).start();
    }

    /** Makes a hot standby that streams from this server, which is stopped and started for it. */
    EmbeddedPostgresServer standby() {
        Path copy = DataDirectories.create();
        stop();
        try {
            InitializedData.copy(data, copy);
            Files.createFile(copy.resolve("data/standby.signal"));
            Files.writeString(
                    copy.resolve("data/postgresql.auto.conf"),
                    "\nprimary_conninfo = 'host=127.0.0.1 port=" + port() + " user=" + username() + "'\n",
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("No standby could be made in " + copy, e);
        }
        start();
        return new EmbeddedPostgresServer(copy, settings, binaries);
    }

    @Override
    public int port() {
        return process.getPort();
    }

    /** SIGQUIT to the postmaster: an immediate stop, which writes nothing any more. */
    @Override
    public void stop() {
        try {
            quit();
            process.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The server on port " + port() + " did not stop", e);
        }
    }

    private void quit() throws IOException {
        Optional<ProcessHandle> postmaster = DataDirectories.postmasterOf(data);
        if (postmaster.isPresent()) {
            new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster.get().pid())).start();
            postmaster.get().onExit().join();
        }
    }

    @Override
    public void start() {
        try {
            process = launch(process.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException("The server on port " + port() + " did not start again", e);
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        stop();
        DataDirectories.delete(data);
    }

    /** At the JVM's exit: nothing of the server stays, running or not. */
    private void remove() {
        try {
            quit();
        } catch (IOException e) {
            LOG.warn("Not stopped: the server of {}", data, e);
        }
        DataDirectories.delete(data);
    }
}
