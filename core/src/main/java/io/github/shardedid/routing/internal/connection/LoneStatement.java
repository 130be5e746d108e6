package io.github.shardedid.routing.internal.connection;

/**
 * All that is left to write before the commit.
 *
 * @param rows how many rows it writes
 * @param sql its text, as it will be prepared
 */
public record LoneStatement(int rows, String sql) {}
