package io.github.shardedid.move;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How shards are moved. Immutable.
 *
 * @param concurrentMoves how many moves {@link ShardMover#run} has under way at once; 1 or more
 * @param lockTimeout how long one try to fence a shard waits for a lock, while those who come later wait behind it; above 0
 * @param fenceTimeout how long to try to fence a shard again and again, until the move is left unfinished; 0 or more
 * @param catchUpTimeout how long the target may take, after the copy, to catch up with what is written; above 0
 * @param replicationSources how other servers reach a database, by its name; where there is none it is taken from the data
 *     source's URL
 * @param listener hears how moves come along
 */
public record MoveOptions(
        int concurrentMoves,
        Duration lockTimeout,
        Duration fenceTimeout,
        Duration catchUpTimeout,
        Map<String, ReplicationSource> replicationSources,
        MoveListener listener) {
    /** Two moves at once, 100 ms for a lock, 10 minutes for the fence, an hour to catch up. */
    public static final MoveOptions DEFAULT = new MoveOptions(
            2, Duration.ofMillis(100), Duration.ofMinutes(10), Duration.ofHours(1), Map.of(), MoveListener.NONE);

    /** Refuses values out of their range, and copies the map. */
    public MoveOptions {
        if (concurrentMoves < 1
                || lockTimeout.toMillis() < 1
                || fenceTimeout.isNegative()
                || catchUpTimeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "concurrentMoves is at least 1, lockTimeout and catchUpTimeout at least a"
                            + " millisecond, fenceTimeout at least 0; not " + concurrentMoves + ", " + lockTimeout
                            + ", "
                            + catchUpTimeout + ", " + fenceTimeout + ".");
        }
        replicationSources = Map.copyOf(replicationSources);
        Objects.requireNonNull(listener);
    }

    /**
     * The same with another bound.
     *
     * @param moves at once, 1 or more
     * @return other options
     */
    public MoveOptions withConcurrentMoves(int moves) {
        return new MoveOptions(moves, lockTimeout, fenceTimeout, catchUpTimeout, replicationSources, listener);
    }

    /**
     * The same with another wait for locks.
     *
     * @param timeout above 0
     * @return other options
     */
    public MoveOptions withLockTimeout(Duration timeout) {
        return new MoveOptions(concurrentMoves, timeout, fenceTimeout, catchUpTimeout, replicationSources, listener);
    }

    /**
     * The same with another time for the fence.
     *
     * @param timeout 0 or more; 0 tries once
     * @return other options
     */
    public MoveOptions withFenceTimeout(Duration timeout) {
        return new MoveOptions(concurrentMoves, lockTimeout, timeout, catchUpTimeout, replicationSources, listener);
    }

    /**
     * The same with another time for catching up.
     *
     * @param timeout above 0
     * @return other options
     */
    public MoveOptions withCatchUpTimeout(Duration timeout) {
        return new MoveOptions(concurrentMoves, lockTimeout, fenceTimeout, timeout, replicationSources, listener);
    }

    /**
     * The same with other ways for servers to reach each other.
     *
     * @param sources by the names of the databases
     * @return other options
     */
    public MoveOptions withReplicationSources(Map<String, ReplicationSource> sources) {
        return new MoveOptions(concurrentMoves, lockTimeout, fenceTimeout, catchUpTimeout, sources, listener);
    }

    /**
     * The same with another listener.
     *
     * @param other hears how moves come along
     * @return other options
     */
    public MoveOptions withListener(MoveListener other) {
        return new MoveOptions(concurrentMoves, lockTimeout, fenceTimeout, catchUpTimeout, replicationSources, other);
    }
}
