package io.github.shardedid.generator;

import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores the leases of nodes, those of each shard in its schema. Safe for use by several threads. */
interface LeaseStore {
    /**
     * Grants a node, or extends the window of the holder's node. Committed when the method returns.
     *
     * @param wanted the node that the holder prefers, or null
     */
    LeaseAnswer lease(int shard, UUID holder, @Nullable Integer wanted) throws SQLException;

    /**
     * Releases the holder's node of a shard.
     *
     * @param stamp the first timestamp that the holder has not used and will not use
     */
    void release(int shard, UUID holder, long stamp) throws SQLException;
}
