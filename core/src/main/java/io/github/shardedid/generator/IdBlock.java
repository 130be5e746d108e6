package io.github.shardedid.generator;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The reserved ids of one shard and sequence. Taking one is lock-free; refilling happens under {@link #lock()}.
 *
 * <p>A reservation that did not reach the server's disk is forgotten in a crash, and the server may make its ids again. So
 * who takes one must be sure that it was committed, or that no crash has come in between until the row is committed.
 */
final class IdBlock {
    static final long NONE = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong taken = new AtomicLong();
    private volatile Ids ids = new Ids(ReservedIds.NONE, 0, false);

    ReentrantLock lock() {
        return lock;
    }

    /** Whether a transaction may use what was reserved at an instant of {@code nanoTime}, but is not committed for sure. */
    interface Survival {
        boolean since(long nanos) throws SQLException;
    }

    /** The next id above the floor, or {@link #NONE} if the block is used up, too old, or may be forgotten. */
    long take(long floor, long now, long lifetime, Survival survival) throws SQLException {
        Ids block = ids;
        if (now - block.reservedAt > lifetime || block.isUsedUp()) {
            return NONE;
        }
        if (!block.durable && !survival.since(block.reservedAt)) {
            return NONE;
        }
        while (true) {
            int index = block.next.getAndIncrement();
            if (index >= block.values.size()) {
                return NONE;
            }
            long id = block.values.get(index);
            if (id > floor) {
                taken.incrementAndGet();
                return id;
            }
        }
    }

    /** How many the last block had, if it was used up in its lifetime; else 0. */
    int demand(long now, long lifetime) {
        Ids block = ids;
        return now - block.reservedAt <= lifetime ? block.values.size() : 0;
    }

    /**
     * Replaces the block and takes its first id. To be called under the lock.
     *
     * @param reservedAt before the database was asked
     * @param durable whether the reservation is on the server's disk
     */
    long refill(ReservedIds values, long reservedAt, boolean durable) {
        Ids block = new Ids(values, reservedAt, durable);
        block.next.set(1);
        ids = block;
        taken.incrementAndGet();
        return values.get(0);
    }

    /** How many ids were handed out. */
    long taken() {
        return taken.get();
    }

    private static final class Ids {
        private final ReservedIds values;
        private final long reservedAt;
        private final boolean durable;
        private final AtomicInteger next = new AtomicInteger();

        private Ids(ReservedIds values, long reservedAt, boolean durable) {
            this.values = values;
            this.reservedAt = reservedAt;
            this.durable = durable;
        }

        private boolean isUsedUp() {
            return next.get() >= values.size();
        }
    }
}
