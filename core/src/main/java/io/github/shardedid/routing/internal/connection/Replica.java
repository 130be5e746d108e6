package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica of a database, and whether it can be used just now. Safe for use by several threads.
 *
 * <p>A replica that fails is not tried by each statement, as each would wait for the pool's timeout. The
 * database itself, or another replica, answers instead, until one caller has found that it works again.
 */
final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    final String database;
    /** The position in the configuration of its database, from 0. */
    private final int number;

    final DataSource source;
    private final LongSupplier clock;
    private final RoutingListener listener;
    /** The instant from which a caller may try it again, by the clock. */
    private final AtomicLong retryAt = new AtomicLong();

    private volatile boolean down;

    Replica(String database, int number, DataSource source, LongSupplier clock, RoutingListener listener) {
        this.database = database;
        this.number = number;
        this.source = source;
        this.clock = clock;
        this.listener = listener;
    }

    String name() {
        return database + " (its replica " + number + ")";
    }

    /**
     * Returns whether a caller may try it. One that is down may be tried by one caller every {@code
     * RETRY_NANOS}, so that the others do not wait.
     */
    boolean mayBeTried() {
        if (!down) {
            return true;
        }
        long due = retryAt.get();
        long now = clock.getAsLong();
        return now - due >= 0 && retryAt.compareAndSet(due, now + RETRY_NANOS);
    }

    /** Notes that a connection was opened and checked. */
    void works() {
        if (down) {
            down = false;
            LOG.info("{} can be read again", this);
            listener.replicaChanged(database, number, true);
        }
    }

    /** Notes a failure. It is logged when it begins, not for each statement. */
    void fails(Throwable failure) {
        retryAt.set(clock.getAsLong() + RETRY_NANOS);
        if (!down) {
            down = true;
            LOG.warn(
                    "{} cannot be read; until it can, other replicas or the database itself are: {}",
                    this,
                    failure.getMessage());
            listener.replicaChanged(database, number, false);
        }
    }

    /** Returns its name for messages, with the number as in the configuration. */
    @Override
    public String toString() {
        return "Replica " + number + " of database " + database;
    }
}
