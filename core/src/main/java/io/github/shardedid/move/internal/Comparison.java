package io.github.shardedid.move.internal;

import java.sql.SQLException;

/** Compares the rows of both copies of a shard. A difference is a {@code MoveMismatchException}. */
interface Comparison {
    /** All rows, while the application writes. */
    void full() throws SQLException;

    /** Those that have changed since; returns how many were compared again. */
    long round() throws SQLException;

    /** Under the fence: those that have changed since the last round. */
    void last(String sourceSchema) throws SQLException;

    /** Gives back what it holds. */
    void close() throws SQLException;
}
