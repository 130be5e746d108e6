package io.github.shardedid.example.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as the operations page draws it.
 *
 * @param mapVersion how often the shard map has changed in this process, from 1 up
 * @param databases in the order of their names
 * @param shards in the order of their numbers
 */
record ClusterView(long mapVersion, List<Database> databases, List<Shard> shards) {
    /**
     * A database.
     *
     * @param reachable whether it has just answered
     * @param stoppable whether this application runs its server
     * @param running false if this application has stopped its server
     * @param count how many shards it has, as far as is known
     */
    record Database(
            String name,
            String address,
            boolean reachable,
            boolean stoppable,
            boolean running,
            int count,
            long bytes,
            double writesPerSecond) {}

    /**
     * A shard.
     *
     * @param database its home; null if none is known
     * @param generation how often it has changed its home, from 1 up
     * @param fenced whether it is just changing its home
     */
    record Shard(
            int shard,
            @Nullable String database,
            long generation,
            boolean fenced,
            long bytes,
            long rows,
            double writesPerSecond) {}
}
