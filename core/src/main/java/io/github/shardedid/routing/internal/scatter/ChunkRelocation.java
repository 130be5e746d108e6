package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.statement.Relocations;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts chunks again whose shards have moved since they were cut. A chunk that has failed has given no rows, and a shard is in
 * one chunk only, so that none is asked twice. Safe for use by several threads.
 */
record ChunkRelocation(Databases databases, Relocations relocations) {
    /** Ends at the deadline, if there is one. */
    ShardSearch search(ScatterCall call) {
        return relocations.search(
                false,
                call.deadline() == 0 ? Relocations.NO_TIMEOUT : Math.max(0, call.deadline() - System.nanoTime()));
    }

    /**
     * Whether all shards of a chunk are where it asks, as far as is known.
     *
     * @param writer the connection of the caller's transaction by which it is asked, or null; what that has used cannot leave
     */
    boolean areThere(ShardChunks.Chunk chunk, @Nullable PhysicalConnection writer) {
        relocations.requireYoungMap();
        for (int shard : chunk.shards()) {
            if (isElsewhere(chunk, shard) && !isUsed(shard, writer)) {
                return false;
            }
        }
        return true;
    }

    private boolean isElsewhere(ShardChunks.Chunk chunk, int number) {
        Target.Shard shard = Target.shard(number);
        return !relocations.isServed(shard, chunk.database()) && relocations.isKnown(shard);
    }

    private static boolean isUsed(int shard, @Nullable PhysicalConnection writer) {
        return writer != null && writer.use().has(Target.shard(shard));
    }

    /** The same shards by their databases, once those on their way have arrived or the longest wait is over. */
    List<ShardChunks.Chunk> cut(
            ShardChunks.Chunk chunk, @Nullable PhysicalConnection writer, ShardSearch search, LeavingOut leavingOut)
            throws SQLException {
        Map<String, List<Integer>> byHome = new LinkedHashMap<>();
        for (int shard : chunk.shards()) {
            try {
                String home = isUsed(shard, writer) ? chunk.database() : home(shard, chunk.database(), search);
                byHome.computeIfAbsent(home, name -> new ArrayList<>()).add(shard);
            } catch (ShardFencedException e) {
                requireLeftOut(shard, leavingOut, e);
            }
        }
        List<ShardChunks.Chunk> parts = new ArrayList<>();
        byHome.forEach((home, shards) -> parts.add(new ShardChunks.Chunk(chunk.number(), home, List.copyOf(shards))));
        return parts;
    }

    /** A query that may be incomplete. */
    @FunctionalInterface
    interface LeavingOut {
        /** Leaves out shards if the caller has allowed it; returns whether it has. */
        boolean leaveOut(Collection<Integer> shards, String reason);
    }

    private static void requireLeftOut(int shard, LeavingOut leavingOut, ShardFencedException e) throws SQLException {
        if (!leavingOut.leaveOut(List.of(shard), String.valueOf(e.getMessage()))) {
            throw e;
        }
    }

    private String home(int shard, String database, ShardSearch search) throws SQLException {
        if (relocations.isFenced(shard)) {
            relocations.await(shard, database, search);
        }
        return databases.databaseOf(shard);
    }

    /**
     * After a chunk has failed because some shard is not there: asks where its shards are.
     *
     * @throws SQLException the failure itself if nothing has moved, and the chunk was repeated before; or if a shard is on its
     *     way for too long
     */
    List<ShardChunks.Chunk> find(
            ShardChunks.Chunk chunk, ShardSearch search, LeavingOut leavingOut, SQLException failure)
            throws SQLException {
        relocations.askSince(System.nanoTime());
        boolean moved = false;
        for (int shard : chunk.shards()) {
            if (!relocations.isServed(Target.shard(shard), chunk.database())) {
                moved = true;
                try {
                    relocations.find(shard, chunk.database(), search, failure);
                } catch (ShardFencedException e) {
                    requireLeftOut(shard, leavingOut, e);
                }
            }
        }
        if (!moved) {
            relocations.requireFirst(search, failure);
        }
        return cut(chunk, null, search, leavingOut);
    }

    /** Whether a failure may come from a shard that is not there. */
    static boolean mayBeLeft(ShardChunks.Chunk chunk, SQLException failure) {
        return Relocations.mayBeLeft(Target.shard(chunk.shards().get(0)), failure);
    }

    /** What to throw if the chunk was asked within a transaction, which the failure has ended. */
    SQLException unrepeatable(ShardChunks.Chunk chunk, SQLException failure) {
        for (int shard : chunk.shards()) {
            SQLException explained = relocations.unrepeatable(shard, chunk.database(), failure);
            if (explained != failure) {
                return explained;
            }
        }
        return failure;
    }

    /** Whether a shard's database cannot be asked, or is unknown. */
    static boolean isAway(SQLException failure) {
        return failure instanceof DatabaseUnavailableException || ConnectionLoss.isLoss(failure);
    }
}
