package io.github.shardedid.test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A physical PostgreSQL server that a test may stop, start again on the same port, and fill with databases. */
public interface PostgresServer extends AutoCloseable {
    /** Makes names of databases unique within this JVM. */
    AtomicInteger DATABASES = new AtomicInteger();

    /** The TCP port on localhost. */
    int port();

    /** How another server reaches this one. */
    default String peerHost() {
        return "localhost";
    }

    /** The TCP port there. */
    default int peerPort() {
        return port();
    }

    /** Stops the server at once, as a crash of it would; its data stays. */
    void stop();

    /** Starts the stopped server again, on the same port and data. */
    void start();

    /** The name of the superuser. */
    default String username() {
        return "postgres";
    }

    /** The superuser's password. */
    default String password() {
        return "postgres";
    }

    /** The URL of a database of this server. */
    default String url(String database) {
        return "jdbc:postgresql://localhost:" + port() + "/" + database;
    }

    /** Opens a connection that bypasses the project. */
    default Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(url(database), username(), password());
    }

    /** Creates an empty database under a name that no other test of this JVM has. */
    default TestDatabase newDatabase() {
        return newDatabase("template1");
    }

    /** Creates a copy of a database of this server, to which nobody is connected. */
    default TestDatabase newDatabase(String template) {
        String name = "test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            // Copies files: a third of the time of a copy through the write-ahead log.
            statement.execute("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY");
        } catch (SQLException e) {
            throw new IllegalStateException("No database " + name + " on port " + port(), e);
        }
        return new TestDatabase(this, name);
    }

    @Override
    void close();
}
