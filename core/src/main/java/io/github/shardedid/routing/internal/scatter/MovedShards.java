package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.scatter.ScatterWorker.ShardLeft;
import io.github.shardedid.routing.internal.statement.Relocations;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the shards that one execution of a query over several shards has not found, so that it can begin
 * again: as long as no row was returned, nothing of it stays. For one thread at a time.
 */
final class MovedShards {
    private final Relocations relocations;
    private final ShardSearch search;
    private final @Nullable MissingShards missing;
    /** The shards that no database serves, and that the caller has allowed to leave out. */
    final Set<Integer> leftOut = new HashSet<>();

    /** True if a shard was waited for in vain: then the databases say whether it is there. */
    boolean waited;

    /** Creates it at the beginning of an execution, which limits how long is waited for all shards together. */
    MovedShards(Relocations relocations, @Nullable MissingShards missing) {
        this.relocations = relocations;
        this.search = relocations.search(false);
        this.missing = missing;
    }

    /** Waits until the shards of a chunk are somewhere. Returns a failure if the query cannot be repeated; else null. */
    @Nullable
    SQLException find(ShardLeft left) {
        String database = left.chunk.database();
        List<Integer> shards = left.chunk.shards();
        try {
            if (left.failure != null) {
                relocations.map().refreshSince(relocations.map().nanoTime());
            }
            List<Integer> gone = shards.stream()
                    .filter(shard -> !relocations.isServed(Target.shard(shard), database))
                    .toList();
            for (int shard : gone) {
                find(shard, database, left.failure);
            }
            if (gone.isEmpty() && left.failure != null) {
                search.requireNewMap(relocations.map().version(), left.failure);
            }
            return null;
        } catch (SQLException e) {
            return ScatterFailures.reading(left.chunk, e);
        }
    }

    private void find(int shard, String database, @Nullable SQLException failure) throws SQLException {
        try {
            if (failure != null) {
                relocations.find(shard, database, search, failure);
            } else if (relocations.map().get().isFenced(shard)) {
                waited |= relocations.await(shard, database, search) == Outcome.TIMED_OUT;
            }
        } catch (ShardFencedException | DatabaseUnavailableException e) {
            if (missing == null) {
                throw e;
            }
            missing.add(List.of(shard), String.valueOf(e.getMessage()));
            leftOut.add(shard);
        }
    }
}
