package io.github.shardedid.topology;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shard map that is valid now, replaced as a whole. Safe for use by several threads, virtual ones too; {@link #get()}
 * costs one volatile read.
 */
public final class CurrentShardMap {
    private final ShardMapSource source;
    private final ReentrantLock refreshing = new ReentrantLock();
    private final ReentrantLock waiting = new ReentrantLock();
    private final Condition changed = waiting.newCondition();
    private final List<Consumer<ShardMap>> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder loads = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile Versioned current;
    /** When the last load began; guarded by {@code refreshing}. */
    private long lastAsked;

    /** When the last load began that has come to its end. */
    private volatile long lastHeard;

    private volatile @Nullable String lastFailure;

    /**
     * Loads the first map.
     *
     * @param source where maps come from
     */
    public CurrentShardMap(ShardMapSource source) {
        this.source = source;
        this.lastAsked = System.nanoTime();
        this.current = new Versioned(source.load(), 1, lastAsked);
        this.lastHeard = lastAsked;
    }

    /** The instant is by {@code nanoTime}. */
    private record Versioned(ShardMap map, long version, long since) {}

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
     * How often the source was asked for a map after the first one.
     *
     * @return from 0 up; those that failed included
     */
    public long refreshes() {
        return loads.sum();
    }

    /**
     * How often the source had no map to give, so that the one before stayed.
     *
     * @return from 0 up
     */
    public long failedRefreshes() {
        return failures.sum();
    }

    /**
     * Why the source had no map to give when it was asked last.
     *
     * @return what it said; null if it gave one
     */
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    /**
     * What is wrong with the ownership of shards and does not pass by itself: what the map says, and why there is no newer one.
     *
     * @return see {@link ShardMap#problems()} and {@link #lastFailure()}; empty if all is well
     */
    public List<String> problems() {
        return Stream.concat(Stream.ofNullable(lastFailure), get().problems().stream())
                .toList();
    }

    /**
     * Whether the map has been the same since an instant, as far as this process knows.
     *
     * @param nanos the instant, by {@link System#nanoTime()}
     * @return false if another map was loaded later
     */
    public boolean isUnchangedSince(long nanos) {
        return nanos - current.since >= 0;
    }

    /**
     * Asks the source again, unless another thread has done so since the caller looked.
     *
     * @param seen the map that the caller found wanting
     * @return the map that is valid now
     * @throws RuntimeException what the source threw; the map is as before then
     */
    @SuppressWarnings("ReferenceEquality") // identity tells whether another thread has loaded one since
    public ShardMap refresh(ShardMap seen) {
        refreshing.lock();
        try {
            return current.map == seen ? load() : current.map;
        } finally {
            refreshing.unlock();
        }
    }

    /**
     * A map that was asked for at an instant or later: so that of many who want one at once, one asks. If there is none to be
     * had, the map stays as it is, and {@link #lastFailure()} says why.
     *
     * @param nanos the instant, by {@link System#nanoTime()}
     * @return the map that is valid now
     */
    public ShardMap refreshSince(long nanos) {
        refreshing.lock();
        try {
            return lastAsked - nanos >= 0 ? current.map : load();
        } catch (RuntimeException e) {
            return current.map;
        } finally {
            refreshing.unlock();
        }
    }

    /** The caller holds the lock. */
    private ShardMap load() {
        Versioned before = current;
        lastAsked = System.nanoTime();
        loads.increment();
        ShardMap loaded;
        try {
            loaded = source.load();
        } catch (RuntimeException e) {
            failures.increment();
            lastFailure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            lastHeard = lastAsked;
        }
        lastFailure = null;
        boolean same = loaded.equals(before.map);
        long since = same ? before.since : System.nanoTime();
        current = new Versioned(loaded, same ? before.version : before.version + 1, since);
        if (!same) {
            tell(loaded);
        }
        return loaded;
    }

    private void tell(ShardMap loaded) {
        waiting.lock();
        try {
            changed.signalAll();
        } finally {
            waiting.unlock();
        }
        listeners.forEach(listener -> listener.accept(loaded));
    }

    /**
     * Whether the source was asked at an instant or later, and has answered or failed.
     *
     * @param nanos the instant, by {@link System#nanoTime()}
     * @return false if the valid map is what was known before that
     */
    public boolean isHeardSince(long nanos) {
        return lastHeard - nanos >= 0;
    }

    /**
     * Waits until the map is another one than at some version.
     *
     * @param version the version that the caller has seen, read before the map
     * @param nanos how long to wait at most, in nanoseconds; not at all if it is zero or less
     * @return whether the map has changed since that version
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitChange(long version, long nanos) throws InterruptedException {
        long left = nanos;
        waiting.lockInterruptibly();
        try {
            while (current.version == version && left > 0) {
                left = changed.awaitNanos(left);
            }
            return current.version != version;
        } finally {
            waiting.unlock();
        }
    }

    /**
     * Has a listener told of each new map, from now on, on the thread that loaded it, which holds up all who want a newer
     * one: it must be fast, and throw nothing.
     *
     * @param listener is given the map
     */
    public void addListener(Consumer<ShardMap> listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public String toString() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - current.since);
        return "shard map of version " + current.version + ", for " + seconds + " s";
    }
}
