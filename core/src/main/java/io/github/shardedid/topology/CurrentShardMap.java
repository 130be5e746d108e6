package io.github.shardedid.topology;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The shard map that is valid now, replaced as a whole. Safe for use by several threads; {@link #get()} costs one
 * volatile read.
 */
public final class CurrentShardMap {
    private final ShardMapSource source;
    private final ReentrantLock refreshing = new ReentrantLock();
    private volatile Versioned current;

    /**
     * Loads the first map.
     *
     * @param source where maps come from
     */
    public CurrentShardMap(ShardMapSource source) {
        this.source = source;
        this.current = new Versioned(source.load(), 1);
    }

    /**
     * A map that never changes, for tests and tools.
     *
     * @param map the map
     * @return its holder
     */
    public static CurrentShardMap fixed(ShardMap map) {
        return new CurrentShardMap(() -> map);
    }

    /**
     * The map that is valid now.
     *
     * @return an immutable map
     */
    public ShardMap get() {
        return current.map;
    }

    /**
     * How often the map has changed in this process.
     *
     * @return from 1 up
     */
    public long version() {
        return current.version;
    }

    /**
     * Asks the source again, unless another thread has done so since the caller looked.
     *
     * @param seen the map that the caller found wanting
     * @return the map that is valid now
     */
    @SuppressWarnings("ReferenceEquality") // identity tells whether another thread has loaded one since
    public ShardMap refresh(ShardMap seen) {
        refreshing.lock();
        try {
            Versioned before = current;
            if (before.map == seen) {
                ShardMap loaded = source.load();
                current = new Versioned(loaded, loaded.equals(seen) ? before.version : before.version + 1);
            }
            return current.map;
        } finally {
            refreshing.unlock();
        }
    }

    private record Versioned(ShardMap map, long version) {}
}
