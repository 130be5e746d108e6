package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A statement or query is of a form that is not executed on shards. It returns nothing and changes nothing. A retry fails as well: rewrite
 * it as the message says. Reasons are:
 *
 * <ul>
 *   <li>It goes to several shards, and their results cannot be merged correctly, are too many, or must not come from several.
 *   <li>It names tables of a shard and of the global database, which may be on different servers.
 *   <li>It joins or fetches a row of another shard through a {@code @ForeignShard} association.
 *   <li>It ends within a literal, an identifier or a comment; the driver and PostgreSQL would read it differently; or the driver
 *       rewrites a JDBC escape of it.
 *   <li>It locks rows of a copy of a replicated table, or compares a {@code @ForeignShard} reference with rows of the query.
 * </ul>
 */
public class UnsupportedStatementException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message what is not supported, the statement or association, and what to write instead
     */
    public UnsupportedStatementException(String message) {
        super(message);
    }
}
