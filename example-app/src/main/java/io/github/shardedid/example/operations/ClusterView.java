package io.github.shardedid.example.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as shown by the operations page.
 *
 * @param mapVersion the version of the shard map in this process, 1 or more
 * @param databases the databases, ordered by name
 * @param shards the shards, ordered by number
 */
record ClusterView(long mapVersion, List<Database> databases, List<Shard> shards) {
    /**
     * A database.
     *
     * @param reachable whether the last query succeeded
     * @param stoppable whether this application has started its server
     * @param running false if this application has stopped its server
     * @param count the known number of its shards
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
     * @param database its home; null if it is unowned
     * @param generation its generation, 1 or more
     * @param fenced whether it is fenced by a move
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
