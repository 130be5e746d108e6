package io.github.shardedid.boot.modulith;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.Cluster;
import java.util.UUID;

/**
 * Ids of event publications that name their shard: UUIDs of version 8, whose last 32 bits are the number of the shard, and whose other
 * 90 bits are random. A publication is found by its id alone, by any process, also after its shard has moved.
 */
final class PublicationIds {
    private static final int VERSION = 8;
    private static final long VERSION_BITS = 0xF000L;
    private static final long SHARD_BITS = 0xFFFF_FFFFL;

    private PublicationIds() {}

    /** An id of a shard with the random bits of another id. */
    static UUID of(UUID random, int shard) {
        return new UUID(
                (random.getMostSignificantBits() & ~VERSION_BITS) | ((long) VERSION << 12),
                (random.getLeastSignificantBits() & ~SHARD_BITS) | shard);
    }

    /**
     * The shard of an id.
     *
     * @throws NoShardException if it names no shard of the cluster
     */
    static int shardOf(UUID id, Cluster cluster) {
        long shard = id.getLeastSignificantBits() & SHARD_BITS;
        if (id.version() != VERSION || !cluster.map().has((int) shard)) {
            throw new NoShardException(
                    "The event publication " + id + " is in no known shard: its id does not name one of the "
                            + cluster.shardCount()
                            + " shards, so it was not stored by this registry. Remove its row from the table"
                            + " event_publication of its shard, and publish the event again in a transaction.");
        }
        return (int) shard;
    }
}
