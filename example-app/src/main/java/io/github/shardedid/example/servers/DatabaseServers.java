package io.github.shardedid.example.servers;

/** The servers that this process has started and can stop. Thread-safe. */
public interface DatabaseServers {
    /**
     * Returns whether this process has started the server of a database.
     *
     * @param database its name in the configuration
     * @return false for the user's own servers
     */
    boolean has(String database);

    /**
     * Returns whether the server of a database is running.
     *
     * @param database its name in the configuration
     * @return false while it is stopped
     */
    boolean running(String database);

    /**
     * Stops a server and keeps its data. Does nothing if it is not running.
     *
     * @param database its name in the configuration
     */
    void stop(String database);

    /**
     * Starts a server again on the same port. Does nothing if it is running.
     *
     * @param database its name in the configuration
     */
    void start(String database);
}
