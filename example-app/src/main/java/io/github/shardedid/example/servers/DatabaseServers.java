package io.github.shardedid.example.servers;

/** Servers that this process has started, and may stop. Safe for use by several threads. */
public interface DatabaseServers {
    /**
     * Whether the server of a database is one of them.
     *
     * @param database its name in the configuration
     * @return false for servers of the user's own
     */
    boolean has(String database);

    /**
     * Whether it runs.
     *
     * @param database its name in the configuration
     * @return false while it is stopped
     */
    boolean running(String database);

    /**
     * Stops a server, as an operator would; its data stays. Does nothing if it does not run.
     *
     * @param database its name in the configuration
     */
    void stop(String database);

    /**
     * Starts a server again where it was. Does nothing if it runs.
     *
     * @param database its name in the configuration
     */
    void start(String database);
}
