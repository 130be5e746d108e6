package io.github.shardedid.boot.test.internal.server;

/** A PostgreSQL server that is shared by tests. Not thread-safe. */
public interface TestServer {
    String USER = "postgres";
    String PASSWORD = "postgres";

    /** The host name for local applications. */
    String host();

    /** The TCP port, which does not change when the server is stopped and started. */
    int port();

    /** Stops the server, which ends all sessions and keeps the data. */
    void stop();

    /** Starts the server again on the same port, and waits until it accepts connections. */
    void start();

    boolean isRunning();

    /** Called when the JVM exits. Removes the server and its data. */
    void close();

    default String url(String database) {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + database;
    }
}
