package io.github.shardedid.pool;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * The pool of a database in several parts, each of which serves some of the shards first. A PostgreSQL session keeps memory for each
 * table that it has ever used, and the driver keeps a limited number of prepared statements per connection: a connection that serves
 * a tenth of the shards needs a tenth of that memory, and more of its statements are still prepared.
 *
 * <p>A shard gets its part when it is first asked for, one part after the other. If all connections of that part are in use, a caller
 * waits for one of them 20 times as long as a connection is typically in use, from 2 to 10 ms, and then takes an idle one of another
 * part. Only a shard that is itself using its part takes one at once. A caller waits longer only while all connections of all parts are in
 * use, and gets one of its own part then; if a part fails to connect meanwhile, it fails, too, instead of waiting once more. What
 * belongs to no shard in particular, such as a query over several, takes an idle connection of
 * the last parts.
 *
 * <p>Safe for use by several threads.
 */
public final class PartitionedDataSource implements DataSource, AutoCloseable {
    /** Assignments of shards to parts; shards that are as many apart share one. */
    private static final int SLOTS = 8_192;

    private final String name;
    private final List<PoolPart> parts;
    private final Duration wait;
    private final PartQueue queue;
    private final ConnectAttempts attempts;
    private volatile WaitListener listener = WaitListener.NONE;

    /** Of each slot its preference, plus 1; 0 for none yet. */
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
        this.queue =
                new PartQueue(parts.stream().mapToInt(PoolPart::connections).toArray());
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
        return queue.waiting();
    }

    /**
     * Takes a connection, of the shard's part if one is idle there.
     *
     * @param shard from 0
     * @return to be closed
     * @throws SQLTransientConnectionException if all connections were in use for the whole wait
     * @throws SQLException if the part has no connection
     */
    public Lease lease(int shard) throws SQLException {
        return leaseFor(preferenceOf(shard), false);
    }

    /**
     * Takes a connection for no shard in particular.
     *
     * @return to be closed
     * @throws SQLTransientConnectionException if all connections were in use for the whole wait
     * @throws SQLException if the part has no connection
     */
    public Lease lease() throws SQLException {
        int last = parts.size() - 1;
        return leaseFor(Math.max(0, last * parts.size() - 1), true);
    }

    private int preferenceOf(int shard) {
        int slot = shard & SLOTS - 1;
        int preference = assigned.get(slot);
        if (preference == 0) {
            int next = assignments.incrementAndGet();
            preference = assigned.compareAndSet(slot, 0, next) ? next : assigned.get(slot);
        }
        return preference - 1;
    }

    private Lease leaseFor(int preference, boolean anyPart) throws SQLException {
        long start = System.nanoTime();
        int part = take(preference, anyPart);
        long taken = System.nanoTime();
        Runnable giveBack = () -> queue.giveBack(part, System.nanoTime() - taken);
        try {
            attempts.requireNoFailureSince(start);
            Lease lease = new Lease(attempts.connect(parts.get(part).source()), giveBack);
            listener.acquired(System.nanoTime() - start);
            return lease;
        } catch (SQLException | RuntimeException | Error e) {
            giveBack.run();
            throw e;
        }
    }

    private int take(int preference, boolean anyPart) throws SQLException {
        int part;
        try {
            part = queue.take(preference, anyPart, wait.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while waiting for a connection of pool " + name, e);
        }
        if (part == PartQueue.NONE) {
            listener.timedOut();
            throw new SQLTransientConnectionException(name + " - Connection is not available, request timed out after "
                    + wait.toMillis() + "ms (total=" + connections() + ", active=" + connections()
                    + ", idle=0, waiting="
                    + waiting() + ")");
        }
        return part;
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
