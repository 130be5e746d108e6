package io.github.shardedid.move;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link ShardMover}. Immutable.
 *
 * @param concurrentMoves how many moves {@link ShardMover#run} runs at once; 1 or more
 * @param lockTimeout how long one attempt to fence a shard waits for a lock, while later statements wait behind it;
 *     above 0
 * @param fenceTimeout how long attempts to fence a shard are repeated before the move is left unfinished; 0 or more
 * @param catchUpTimeout how long the target may take, after the copy, to catch up with the writes; above 0. During the copy, the move
 *     stops if nothing arrives for that long
 * @param replicationSources how other servers reach a database, by its name, asked for each subscription; where it returns
 *     null, derived from the URL of the data source
 * @param listener receives the progress of moves
 */
public record MoveOptions(
        int concurrentMoves,
        Duration lockTimeout,
        Duration fenceTimeout,
        Duration catchUpTimeout,
        Function<String, @Nullable ReplicationSource> replicationSources,
        MoveListener listener) {
    /** Two moves at once, 100 ms for a lock, 10 minutes for the fence, an hour to catch up. */
    public static final MoveOptions DEFAULT = new MoveOptions(
            2, Duration.ofMillis(100), Duration.ofMinutes(10), Duration.ofHours(1), name -> null, MoveListener.NONE);

    /** Checks the values. */
    public MoveOptions {
        if (concurrentMoves < 1
                || lockTimeout.toMillis() < 1
                || fenceTimeout.isNegative()
                || catchUpTimeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "concurrentMoves is at least 1, lockTimeout and catchUpTimeout at least a"
                            + " millisecond, fenceTimeout at least 0; not " + concurrentMoves + ", " + lockTimeout
                            + ", " + catchUpTimeout + ", " + fenceTimeout + ".");
        }
        Objects.requireNonNull(replicationSources);
        Objects.requireNonNull(listener);
    }

    /**
     * Returns a copy with other replication sources.
     *
     * @param sources by the names of the databases
     * @return other options
     */
    public MoveOptions withReplicationSources(Map<String, ReplicationSource> sources) {
        Map<String, ReplicationSource> copy = Map.copyOf(sources);
        return withReplicationSourcesOf(copy::get);
    }

    /**
     * Returns a copy with replication sources that change, such as those whose passwords are rotated.
     *
     * @param sources returns how other servers reach a database, by its name, or null to derive it from the data source. Asked for
     *     each subscription
     * @return other options
     */
    public MoveOptions withReplicationSourcesOf(Function<String, @Nullable ReplicationSource> sources) {
        return new MoveOptions(concurrentMoves, lockTimeout, fenceTimeout, catchUpTimeout, sources, listener);
    }

    /**
     * Returns a copy with another listener.
     *
     * @param other receives the progress of moves
     * @return other options
     */
    public MoveOptions withListener(MoveListener other) {
        return new MoveOptions(concurrentMoves, lockTimeout, fenceTimeout, catchUpTimeout, replicationSources, other);
    }
}
