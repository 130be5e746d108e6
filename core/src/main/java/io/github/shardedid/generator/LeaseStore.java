package io.github.shardedid.generator;

import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where leases of nodes are kept: each shard's own in its schema. Safe for use by several threads. */
interface LeaseStore {
    /**
     * Grants a node, or extends the window of the one that the holder has; committed when it returns.
     *
     * @param wanted the node that the holder would like, or null
     */
    LeaseAnswer lease(int shard, UUID holder, @Nullable Integer wanted) throws SQLException;

    /**
     * Gives back what the holder has of a shard.
     *
     * @param stamp the first timestamp that the holder has not used and never will
     */
    void release(int shard, UUID holder, long stamp) throws SQLException;
}
