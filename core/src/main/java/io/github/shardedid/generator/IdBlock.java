package io.github.shardedid.generator;

import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntToLongFunction;

/**
 * The reserved ids of one shard and sequence. Taking one is lock-free; refilling happens under {@link #lock()}.
 *
 * <p>A crash of the server loses a reservation that was not on disk, and the ids may be generated again. So an id is taken only if its
 * reservation was committed, or if a crash would also fail the transaction of the row.
 */
final class IdBlock {
    static final long NONE = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile Ids ids = new Ids(0, index -> NONE, 0, false, new AtomicInteger());

    ReentrantLock lock() {
        return lock;
    }

    /** The next id above the floor, or {@link #NONE} if the block is used up, too old, or may be lost for a connection. */
    long take(long floor, long now, long lifetime, int shard, RoutingControl connection) throws SQLException {
        Ids block = ids;
        if (now - block.reservedAt > lifetime
                || block.next.get() >= block.size
                || !(block.durable || connection.isOpenSince(shard, block.reservedAt))) {
            return NONE;
        }
        while (true) {
            int index = block.next.getAndIncrement();
            if (index >= block.size) {
                return NONE;
            }
            long id = block.values.applyAsLong(index);
            if (id > floor) {
                return id;
            }
        }
    }

    /**
     * Returns the ids of whole timestamps, computed, so that the size in memory does not depend on their number: each shard and table has a
     * block.
     */
    static IntToLongFunction computed(long first, long perTimestamp, int lowBits) {
        return index -> first + ((index / perTimestamp) << lowBits) + index % perTimestamp;
    }

    /** The size of the last block, if it is not older than its lifetime; else 0. */
    int demand(long now, long lifetime) {
        Ids block = ids;
        return now - block.reservedAt <= lifetime ? block.size : 0;
    }

    /**
     * Replaces the block and takes its first id. The caller holds the lock.
     *
     * @param reservedAt an instant of {@code nanoTime} before the reservation
     * @param durable whether the reservation is on the server's disk
     */
    long refill(Reservation.ReservedIds values, long reservedAt, boolean durable) {
        ids = new Ids(values.size(), values.ids(), reservedAt, durable, new AtomicInteger(1));
        return values.get(0);
    }

    private record Ids(int size, IntToLongFunction values, long reservedAt, boolean durable, AtomicInteger next) {}
}
