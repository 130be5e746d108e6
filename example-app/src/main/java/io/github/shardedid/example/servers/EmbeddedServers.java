package io.github.shardedid.example.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * Embedded PostgreSQL servers, one per database, which this process has started and can stop. Thread-safe, but must be closed
 * once, by one thread.
 */
public final class EmbeddedServers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServers.class);

    private final EmbeddedSettings settings;
    private final Path directory;
    private final Map<String, EmbeddedPostgres> servers = new ConcurrentHashMap<>();
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();

    private EmbeddedServers(EmbeddedSettings settings, Path directory) {
        this.settings = settings;
        this.directory = directory;
    }

    /** Starts all servers in parallel and waits for them. If one fails to start, the others are stopped. */
    static EmbeddedServers start(EmbeddedSettings settings) {
        EmbeddedServers started = new EmbeddedServers(settings, directory(settings));
        try {
            inParallel(settings.databases().keySet().stream()
                    .<Runnable>map(name -> () -> started.servers.put(name, started.launch(name, 0)))
                    .toList());
        } catch (CompletionException e) {
            started.close();
            throw new IllegalStateException(
                    "An embedded PostgreSQL server did not start, see the cause. To use your own servers, set"
                            + " sharded-id.databases.",
                    e.getCause());
        }
        LOG.info(
                "Their data is in {}, {}",
                started.directory,
                settings.dataDirectory() == null ? "removed at exit" : "and stays there");
        return started;
    }

    /** Returns the properties {@code sharded-id.databases.<name>.url} and so on for the application. */
    Map<String, Object> properties() {
        Map<String, Object> properties = new TreeMap<>();
        new TreeMap<>(servers).forEach((name, server) -> {
            String prefix = "sharded-id.databases." + name + ".";
            properties.put(prefix + "url", "jdbc:postgresql://localhost:" + server.getPort() + "/postgres");
            properties.put(prefix + "username", "postgres");
            properties.put(prefix + "password", "postgres");
            properties.put(prefix + "shards", settings.databases().get(name));
        });
        return properties;
    }

    /**
     * Returns whether this process has started the server of a database.
     *
     * @param database its name in the configuration
     * @return false for the user's own servers
     */
    public boolean has(String database) {
        return servers.containsKey(database);
    }

    /**
     * Returns whether the server of a database is running.
     *
     * @param database its name in the configuration
     * @return false while it is stopped
     */
    public boolean running(String database) {
        return has(database) && !stopped.contains(database);
    }

    /**
     * Stops a server and keeps its data. Does nothing if it is not running.
     *
     * @param database its name in the configuration
     */
    public synchronized void stop(String database) {
        if (stopped.add(database)) {
            close(Objects.requireNonNull(servers.get(database), database));
            LOG.info("Stopped the server of {}", database);
        }
    }

    /**
     * Starts a server again on the same port. Does nothing if it is running.
     *
     * @param database its name in the configuration
     */
    public synchronized void start(String database) {
        if (stopped.contains(database)) {
            EmbeddedPostgres before = Objects.requireNonNull(servers.get(database), database);
            servers.put(database, launch(database, before.getPort()));
            stopped.remove(database);
            LOG.info("Started the server of {} again", database);
        }
    }

    @Override
    public void close() {
        inParallel(servers.entrySet().stream()
                .filter(server -> !stopped.contains(server.getKey()))
                .<Runnable>map(server -> () -> close(server.getValue()))
                .toList());
        if (settings.dataDirectory() == null) {
            FileSystemUtils.deleteRecursively(directory.toFile());
        }
    }

    private static Path directory(EmbeddedSettings settings) {
        try {
            Path kept = settings.dataDirectory();
            return kept == null
                    ? Files.createTempDirectory("sharded-id-example")
                    : Files.createDirectories(kept.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create the data directory of the embedded PostgreSQL servers", e);
        }
    }

    /** Does not use the library's shutdown hook, which would stop the server while the application still uses it. */
    private EmbeddedPostgres launch(String name, int port) {
        try {
            return EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(directory.resolve(name))
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("wal_level", "logical") // this and the following settings are for moves
                    .setServerConfig("max_replication_slots", "20")
                    .setServerConfig("max_wal_senders", "20")
                    .setServerConfig("max_logical_replication_workers", "8")
                    .setServerConfig("max_worker_processes", "16")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("The server of database " + name + " did not start", e);
        }
    }

    private static void close(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("The PostgreSQL server on port {} did not stop", server.getPort(), e);
        }
    }

    private static void inParallel(List<Runnable> tasks) {
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            CompletableFuture.allOf(tasks.stream()
                            .map(task -> CompletableFuture.runAsync(task, executor))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        } finally {
            executor.shutdown();
        }
    }
}
