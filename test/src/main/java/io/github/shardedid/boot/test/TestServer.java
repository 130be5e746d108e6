package io.github.shardedid.boot.test;

/** A PostgreSQL server that tests share. Used by one thread at a time. */
interface TestServer {
    String USER = "postgres";
    String PASSWORD = "postgres";

    /** How applications of this machine reach it. */
    String host();

    /** The TCP port there, the same after a stop. */
    int port();

    /** Sessions end; the data stays. */
    void stop();

    /** Starts again where it was, and waits until it answers. */
    void start();

    boolean isRunning();

    /** At the JVM's end: nothing of it stays. */
    void close();

    default String url(String database) {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + database;
    }
}
