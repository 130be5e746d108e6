package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.MoveRecovery;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Completes moves whose process has died, over pools that are opened with the first of them. */
final class RecoveredMoves implements AutoCloseable {
    private final MoveRecovery recovery;
    private volatile @Nullable ShardedDatabases opened;

    /**
     * Starts to look for moves.
     *
     * @param databases data sources to look for moves
     * @param pools opens connection pools for the mover
     * @param mover creates a mover that uses them
     */
    RecoveredMoves(
            CurrentShardMap map,
            ShardedDatabases databases,
            Supplier<ShardedDatabases> pools,
            Function<ShardedDatabases, ShardMover> mover) {
        this.recovery = new MoveRecovery(map, databases.forMap(), () -> {
            ShardedDatabases own = pools.get();
            opened = own;
            return mover.apply(own);
        });
    }

    @Override
    public void close() throws Exception {
        recovery.close();
        ShardedDatabases own = opened;
        if (own != null) {
            own.close();
        }
    }
}
