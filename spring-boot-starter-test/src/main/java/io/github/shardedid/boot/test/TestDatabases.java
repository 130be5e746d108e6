package io.github.shardedid.boot.test;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import io.github.shardedid.boot.test.internal.server.TestServer;
import io.github.shardedid.boot.test.internal.server.TestServers;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The databases of one application context. They are dropped with it; the servers are shared. */
final class TestDatabases implements ShardedConnectionDetails {
    private static final Logger LOG = LoggerFactory.getLogger(TestDatabases.class);
    private static final AtomicInteger CONTEXTS = new AtomicInteger();
    private static final String ADMINISTRATION = "postgres";

    private final Map<String, TestServer> servers;
    private final String database = "sharded_id_test_" + CONTEXTS.incrementAndGet();

    private TestDatabases(Map<String, TestServer> servers) {
        this.servers = Collections.unmodifiableMap(servers);
    }

    static TestDatabases create(ClusterSettings settings, ClassLoader classLoader) {
        List<TestServer> servers =
                TestServers.of(settings.servers(), settings.image(), settings.databases(), classLoader);
        Map<String, TestServer> byName = new LinkedHashMap<>();
        for (String name : settings.ranges().keySet()) {
            byName.put(name, servers.get(byName.size()));
        }
        TestDatabases databases = new TestDatabases(byName);
        databases.startStopped();
        byName.values().forEach(server -> databases.administer(server, "CREATE DATABASE " + databases.database));
        return databases;
    }

    private void administer(TestServer server, String statement) {
        try (java.sql.Connection connection =
                        DriverManager.getConnection(server.url(ADMINISTRATION), TestServer.USER, TestServer.PASSWORD);
                Statement work = connection.createStatement()) {
            work.execute(statement);
        } catch (SQLException e) {
            throw new TestServersException(
                    "The server of a test at " + server.url("") + " could not execute " + statement
                            + "; see the cause.",
                    e);
        }
    }

    /** Called when the application is closed. If dropping fails, the database is removed with its server. */
    void drop() {
        servers.forEach((name, server) -> {
            try {
                if (server.isRunning()) {
                    administer(server, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
                }
            } catch (TestServersException e) {
                LOG.debug("Not dropped: {} of {}", database, name, e);
            }
        });
    }

    /** Returns {@code pg1}, {@code pg2} and so on, in order. */
    List<String> names() {
        return List.copyOf(servers.keySet());
    }

    String url(String name) {
        return server(name).url(database);
    }

    TestServer server(String name) {
        TestServer server = servers.get(name);
        if (server == null) {
            throw new IllegalArgumentException(
                    "The cluster of this test has no database " + name + ", only " + servers.keySet() + ".");
        }
        return server;
    }

    /** Starts the servers that a test has stopped, and returns their names. */
    List<String> startStopped() {
        List<String> started = new ArrayList<>();
        servers.forEach((name, server) -> {
            if (!server.isRunning()) {
                server.start();
                started.add(name);
            }
        });
        return started;
    }

    @Override
    public @Nullable Connection connectionTo(String name) {
        return servers.containsKey(name) ? new Connection(url(name), TestServer.USER, TestServer.PASSWORD) : null;
    }
}
