package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replica of a database, and whether it can be used just now. Safe for use by several threads. */
final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    private final String database;
    private final int number;
    private final DataSource source;
    private final long retryNanos;
    private final RoutingListener listener;
    private final AtomicLong retryAt = new AtomicLong();
    private volatile boolean down;
    private volatile RoutingListener.Fallback why = RoutingListener.Fallback.UNREACHABLE;

    Replica(String database, int number, DataSource source, long retryNanos, RoutingListener listener) {
        this.database = database;
        this.number = number;
        this.source = source;
        this.retryNanos = retryNanos;
        this.listener = listener;
    }

    String database() {
        return database;
    }

    int number() {
        return number;
    }

    DataSource source() {
        return source;
    }

    String name() {
        return database + " (its replica " + number + ")";
    }

    /** Why it was passed over. */
    RoutingListener.Fallback why() {
        return why;
    }

    /** Whether a caller may try it. Of one that is down, only one caller may, now and then: the others shall not wait. */
    boolean mayBeTried() {
        if (!down) {
            return true;
        }
        long due = retryAt.get();
        long now = System.nanoTime();
        return now - due >= 0 && retryAt.compareAndSet(due, now + retryNanos);
    }

    void works() {
        if (down) {
            down = false;
            LOG.info("{} can be read again", this);
            listener.replicaChanged(database, number, true);
        }
    }

    /** Logged when it begins, not for each statement. */
    void fails(RoutingListener.Fallback reason, Throwable failure) {
        retryAt.set(System.nanoTime() + retryNanos);
        why = reason;
        if (!down) {
            down = true;
            LOG.warn(
                    "{} cannot be read; until it can, other replicas or the database itself are: {}",
                    this,
                    explain(failure));
            listener.replicaChanged(database, number, false);
        }
    }

    private static String explain(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == failure ? String.valueOf(failure.getMessage()) : failure.getMessage() + " " + root.getMessage();
    }

    /** For messages: the number as in the configuration. */
    @Override
    public String toString() {
        return "Replica " + number + " of database " + database;
    }
}
