package io.github.shardedid.topology;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current shard map, replaced as a whole. Thread-safe, also with virtual threads; {@link #get()} costs one volatile read.
 */
public final class CurrentShardMap {
    /** An older map does not tell whether a shard is fenced. */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(1);

    /** A map of this age knows all shards in which there can be rows: an added shard gets its first row two minutes later. */
    private static final long COMPLETE = TimeUnit.MINUTES.toNanos(1);

    /** Ids that no shard has made, such as those of an attacker, do not load the map more often than this. */
    private static final long UNKNOWN_SHARD = TimeUnit.SECONDS.toNanos(10);

    private final ShardMapSource source;
    private final LongSupplier clock;
    private final AtomicBoolean refreshingSoon = new AtomicBoolean();
    private final ReentrantLock refreshing = new ReentrantLock();
    private final LongAdder failures = new LongAdder();
    private volatile Versioned current;
    /** The number of shards of the current map, which is never lowered: that there is a shard is known without asking for its database. */
    private volatile int shardCount;
    /** The start of the last load; guarded by {@code refreshing}. */
    private long lastStarted;

    /** The start of the last load that has completed or failed. */
    private volatile long lastCompleted;

    private volatile @Nullable String lastFailure;

    /**
     * Loads the first map.
     *
     * @param source the source of the maps
     */
    public CurrentShardMap(ShardMapSource source) {
        this(source, System::nanoTime);
    }

    /**
     * Loads the first map, with a clock of the caller, such as that of a test.
     *
     * @param source the source of the maps
     * @param clock the instants in nanoseconds, as of {@link System#nanoTime()}
     */
    public CurrentShardMap(ShardMapSource source, LongSupplier clock) {
        this.source = source;
        this.clock = clock;
        this.lastStarted = nanoTime();
        ShardMap first = source.load();
        Fences fences = Fences.of(first, null, Fences.NONE, lastStarted, lastStarted);
        this.current = new Versioned(first, 1, fences, lastStarted, new CountDownLatch(1));
        this.shardCount = first.shardCount();
        this.lastCompleted = lastStarted;
    }

    /**
     * All instants are of {@link #nanoTime}.
     *
     * @param asOf the start of the last load in which a database has confirmed it
     * @param changed released by the next version
     */
    private record Versioned(ShardMap map, long version, Fences fences, long asOf, CountDownLatch changed) {}

    /**
     * A map that never changes, for tests and tools.
     *
     * @param map the map
     * @return a current map that is always this one
     */
    public static CurrentShardMap fixed(ShardMap map) {
        return new CurrentShardMap(() -> map);
    }

    /** {@return the current map, which is immutable} */
    public ShardMap get() {
        return current.map;
    }

    /**
     * The map for a query over all shards. It is loaded again if no database has confirmed it for a minute, since shards may have been
     * added.
     *
     * @return the current map
     */
    public ShardMap forAllShards() {
        long now = nanoTime();
        return now - current.asOf <= COMPLETE ? current.map : refreshSince(now - COMPLETE);
    }

    /**
     * Returns whether the cluster has a shard. Of one that the map does not have, the databases are asked, at most every 10 seconds:
     * another instance may have added it.
     *
     * @param shard the number of a shard
     * @return whether it is one of the cluster's shards
     * @throws UnownedShardException if no database has answered for a minute
     */
    public boolean has(int shard) {
        if (shard < shardCount) {
            return shard >= 0;
        }
        boolean known = shard < refreshSince(nanoTime() - UNKNOWN_SHARD).shardCount();
        if (!known && age().toNanos() > COMPLETE) {
            throw new UnownedShardException(
                    "Shard " + shard + " is unknown here, and may have been added: no database has said for "
                            + age().toSeconds() + " seconds how many shards there are. Unreachable databases: "
                            + get().unreachableDatabases() + ". Start them again.");
        }
        return known;
    }

    /** {@return the present instant by the map's clock, in nanoseconds} */
    public long nanoTime() {
        return clock.getAsLong();
    }

    /** {@return the version of the map, 1 or more, which each change in this process increments} */
    public long version() {
        return current.version;
    }

    /** {@return for how long no database has confirmed or replaced the map} */
    public Duration age() {
        return Duration.ofNanos(nanoTime() - current.asOf);
    }

    /** {@return the number of failed loads, after which the previous map was kept} */
    public long failedRefreshes() {
        return failures.sum();
    }

    /** {@return the message of the exception by which the last load failed; null if it succeeded} */
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    /** {@return the {@link ShardMap#problems() problems} of the map and the {@link #lastFailure() last failure}; empty if there are none} */
    public List<String> problems() {
        return Stream.concat(Stream.ofNullable(lastFailure), get().problems().stream())
                .toList();
    }

    /**
     * Returns whether the database, the generation and the state of a shard have been the same since an instant, as far as this
     * process knows. The first map is not a change.
     *
     * @param shard the logical shard
     * @param nanos the instant, by {@link #nanoTime()}
     * @return false if a map with another record of the shard was loaded later
     */
    @SuppressWarnings("ReferenceEquality") // a shortcut for the constant
    public boolean isUnchangedSince(int shard, long nanos) {
        Fences fences = current.fences;
        return fences == Fences.NONE || fences.isUnchangedSince(shard, nanos);
    }

    /**
     * Returns the shards that moves have fenced, or are about to fence.
     *
     * @return for how long this process has known that, by shard
     */
    public SortedMap<Integer, Duration> fencedShards() {
        return current.fences.durations(nanoTime());
    }

    /**
     * The shards that moves have fenced, or are about to fence, for a time or longer.
     *
     * @param time the time
     * @return the shards; empty if there are none
     */
    public ShardRanges fencedShards(Duration time) {
        return current.fences.lastingFor(time, nanoTime());
    }

    /**
     * Returns whether a shard has been fenced, or about to be fenced, for a time without a change, according to a map of the last
     * second.
     *
     * @param shard the logical shard
     * @param time the time
     * @return false also if the map is older than a second
     */
    public boolean isFencedFor(int shard, Duration time) {
        Versioned known = current;
        long now = nanoTime();
        return known.fences.isLastingFor(shard, time, now) && now - known.asOf <= YOUNG;
    }

    /**
     * Loads the map, unless another thread has loaded one since the caller read it.
     *
     * @param seen the outdated map that the caller has read
     * @return the current map
     * @throws RuntimeException the exception of the source; the previous map is kept
     */
    @SuppressWarnings("ReferenceEquality") // identity shows whether another thread has loaded one since
    public ShardMap refresh(ShardMap seen) {
        refreshing.lock();
        try {
            return current.map == seen ? load() : current.map;
        } finally {
            refreshing.unlock();
        }
    }

    /**
     * Loads the map, unless a load has started at an instant or later. Of many threads that need a newer map at the same time, one
     * loads it. If the load fails, the previous map is kept, and {@link #lastFailure()} returns the reason.
     *
     * @param nanos the instant, by {@link #nanoTime()}
     * @return the current map
     */
    public ShardMap refreshSince(long nanos) {
        refreshing.lock();
        try {
            return lastStarted - nanos >= 0 ? current.map : load();
        } catch (RuntimeException e) {
            return current.map;
        } finally {
            refreshing.unlock();
        }
    }

    /**
     * Loads the map in a thread of its own, one at a time, unless a load has started at an instant or later and has ended.
     *
     * @param nanos the instant, by {@link #nanoTime()}
     */
    public void refreshSoon(long nanos) {
        if (!isRefreshedSince(nanos) && refreshingSoon.compareAndSet(false, true)) {
            try {
                Thread thread = new Thread(() -> refreshAlone(nanos), "sharded-id-map-refresh");
                thread.setDaemon(true);
                thread.start();
            } catch (Error e) { // no more threads
                refreshingSoon.set(false);
                throw e;
            }
        }
    }

    private void refreshAlone(long nanos) {
        try {
            refreshSince(nanos);
        } finally {
            refreshingSoon.set(false);
        }
    }

    /** The caller holds the lock. */
    private ShardMap load() {
        Versioned before = current;
        lastStarted = nanoTime();
        ShardMap loaded;
        try {
            loaded = source.load();
        } catch (RuntimeException e) {
            failures.increment();
            lastFailure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            lastCompleted = lastStarted;
        }
        lastFailure = null;
        boolean same = loaded.equals(before.map);
        long asOf = loaded.isAnswered() ? lastStarted : before.asOf;
        if (same) {
            current = new Versioned(loaded, before.version, before.fences, asOf, before.changed);
        } else {
            Fences fences = Fences.of(loaded, before.map, before.fences, lastStarted, nanoTime());
            current = new Versioned(loaded, before.version + 1, fences, asOf, new CountDownLatch(1));
            before.changed.countDown();
        }
        shardCount = loaded.shardCount();
        return loaded;
    }

    /**
     * Returns whether a load that started at an instant or later has completed or failed.
     *
     * @param nanos the instant, by {@link #nanoTime()}
     * @return false if the current map is older than that
     */
    public boolean isRefreshedSince(long nanos) {
        return lastCompleted - nanos >= 0;
    }

    /**
     * Waits until the map has changed since a version.
     *
     * @param version the version that the caller has seen, read before the map
     * @param nanos the maximum time to wait in nanoseconds; with 0 or less, this does not wait
     * @return whether the map has changed since that version
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitChange(long version, long nanos) throws InterruptedException {
        Versioned known = current;
        return known.version != version || known.changed.await(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public String toString() {
        return "shard map of version " + current.version;
    }
}
