package io.github.shardedid.pool;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * The pool of a database in several parts, each of which serves some of the shards first. A PostgreSQL session keeps memory for each
 * table that it has ever used, and the driver keeps a limited number of prepared statements per connection: a connection that serves
 * a tenth of the shards needs a tenth of that memory, and more of its statements are still prepared.
 *
 * <p>A shard gets its part when it is first asked for, one part after the other. If all connections of that part are in use for
 * half a millisecond, a free one of the next parts is taken. A caller waits longer only while all connections of all parts are in
 * use, behind those that came before it; if a part fails to connect meanwhile, it fails, too, instead of waiting once more. What
 * belongs to no shard in particular, such as a query over several, begins with the last part.
 *
 * <p>Safe for use by several threads.
 */
public final class PartitionedDataSource implements DataSource, AutoCloseable {
    /** Assignments of shards to parts; shards that are as many apart share one. */
    private static final int SLOTS = 8_192;

    /** A call takes about as long; the connection of another part would cost more, as it has yet to read the shard's tables. */
    private static final long PREFERENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final String name;
    private final List<PoolPart> parts;
    private final Duration wait;
    private final Semaphore permits;
    private final Semaphore[] free;
    private final Runnable[] releases;
    private final ConnectAttempts attempts;
    private volatile WaitListener listener = WaitListener.NONE;
    /** Of each slot the number of its part from 1; 0 for none yet. */
    private final AtomicIntegerArray assigned = new AtomicIntegerArray(SLOTS);

    private final AtomicInteger assignments = new AtomicInteger();

    /**
     * Creates a data source. Nothing is connected to.
     *
     * @param name of the pool, for messages
     * @param parts at least one
     * @param wait how long a caller waits at most while all connections are in use
     * @throws IllegalArgumentException if there is no part
     */
    public PartitionedDataSource(String name, List<PoolPart> parts, Duration wait) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("Pool " + name + " has no parts.");
        }
        this.name = name;
        this.parts = List.copyOf(parts);
        this.wait = wait;
        this.attempts = new ConnectAttempts(name);
        this.permits = new Semaphore(connections(), true);
        this.free =
                parts.stream().map(part -> new Semaphore(part.connections())).toArray(Semaphore[]::new);
        this.releases = IntStream.range(0, parts.size())
                .mapToObj(part -> (Runnable) () -> giveBack(part))
                .toArray(Runnable[]::new);
    }

    /**
     * Returns the parts.
     *
     * @return in the order in which they are assigned to shards
     */
    public List<PoolPart> parts() {
        return parts;
    }

    /**
     * Replaces the listener.
     *
     * @param other called from now on
     */
    public void setListener(WaitListener other) {
        listener = other;
    }

    /**
     * Returns the name of the pool.
     *
     * @return as it was given
     */
    public String name() {
        return name;
    }

    /**
     * Returns how many connections can be in use at the same time.
     *
     * @return those of all parts together
     */
    public int connections() {
        return parts.stream().mapToInt(PoolPart::connections).sum();
    }

    /**
     * Returns an estimate of how many callers wait because all connections are in use.
     *
     * @return 0 or more
     */
    public int waiting() {
        return permits.getQueueLength();
    }

    /**
     * Takes a connection, of the shard's part if one is free there.
     *
     * @param shard from 0
     * @return to be closed
     * @throws SQLTransientConnectionException if all connections were in use for the whole wait
     * @throws SQLException if the part has no connection
     */
    public Lease lease(int shard) throws SQLException {
        return leaseFrom(partOf(shard), 1);
    }

    /**
     * Takes a connection for no shard in particular.
     *
     * @return to be closed
     * @throws SQLTransientConnectionException if all connections were in use for the whole wait
     * @throws SQLException if the part has no connection
     */
    public Lease lease() throws SQLException {
        return leaseFrom(parts.size() - 1, -1);
    }

    private int partOf(int shard) {
        int slot = shard & SLOTS - 1;
        int part = assigned.get(slot);
        if (part == 0) {
            int next = Math.floorMod(assignments.getAndIncrement(), parts.size()) + 1;
            part = assigned.compareAndSet(slot, 0, next) ? next : assigned.get(slot);
        }
        return part - 1;
    }

    private Lease leaseFrom(int first, int direction) throws SQLException {
        long start = System.nanoTime();
        awaitPermit();
        int part = -1;
        try {
            attempts.requireNoFailureSince(start);
            part = take(first, direction);
            Lease lease = new Lease(attempts.connect(parts.get(part).source()), releases[part]);
            listener.acquired(System.nanoTime() - start);
            return lease;
        } catch (SQLException | RuntimeException | Error e) {
            if (part >= 0) {
                free[part].release();
            }
            permits.release();
            throw e;
        }
    }

    private void awaitPermit() throws SQLException {
        if (!await(permits, wait.toNanos())) {
            listener.timedOut();
            throw new SQLTransientConnectionException(name + " - Connection is not available, request timed out after "
                    + wait.toMillis() + "ms (total=" + connections() + ", active=" + connections()
                    + ", idle=0, waiting="
                    + waiting() + ")");
        }
    }

    /** Whoever has a permit finds a part sooner or later: there are as many permits as connections, and a permit goes back last. */
    private int take(int first, int direction) throws SQLException {
        if (await(free[first], PREFERENCE_NANOS)) {
            return first;
        }
        for (int part = first; ; part = Math.floorMod(part + direction, parts.size())) {
            if (free[part].tryAcquire()) {
                return part;
            }
        }
    }

    private boolean await(Semaphore semaphore, long nanos) throws SQLException {
        try {
            return semaphore.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while waiting for a connection of pool " + name, e);
        }
    }

    private void giveBack(int part) {
        free[part].release();
        permits.release();
    }

    /**
     * Takes a connection for no shard in particular.
     *
     * @return to be closed by the caller
     * @throws SQLTransientConnectionException if all connections were in use for the whole wait
     * @throws SQLException if the part has no connection
     */
    @Override
    public Connection getConnection() throws SQLException {
        return LeasedConnection.of(lease());
    }

    /** Not supported: a pool's connections have one user. */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The connections of a pool have one user.");
    }

    /** Closes all parts that can be closed. Throws the first failure after the others have been closed. */
    @Override
    public void close() throws Exception {
        Exception first = null;
        for (PoolPart part : parts) {
            try {
                if (part.source() instanceof AutoCloseable closeable) {
                    closeable.close();
                }
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        throw new SQLFeatureNotSupportedException("Pools log by SLF4J.");
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("Pools log by SLF4J.");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("Set the timeout of the parts.");
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return parts.get(0).source().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Pools log by SLF4J.");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("A partitioned pool is no " + type.getName() + ".");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
