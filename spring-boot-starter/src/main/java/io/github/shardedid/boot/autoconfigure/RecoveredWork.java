package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.ClusterRecovery;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * Completes what was begun by processes that have died. Moves use pools that are opened with the first of them. Safe for use by several
 * threads.
 */
public final class RecoveredWork implements AutoCloseable {
    private final ClusterRecovery recovery;
    private volatile @Nullable ShardedDatabases opened;

    /** Starts to look for work in all databases. */
    RecoveredWork(
            CurrentShardMap map,
            ShardedDatabases databases,
            Supplier<ShardedDatabases> pools,
            Function<ShardedDatabases, ShardMover> mover,
            @Nullable Provisioner provisioner) {
        this.recovery = new ClusterRecovery(
                map,
                databases.forMap(),
                SingletonSupplier.of(() -> {
                    ShardedDatabases own = pools.get();
                    opened = own;
                    return mover.apply(own);
                }),
                provisioner);
    }

    /**
     * Returns what this instance has found and cannot complete.
     *
     * @return a text each, with what to do; empty if there is nothing
     */
    public List<String> problems() {
        return recovery.problems();
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
