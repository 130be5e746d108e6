package io.github.shardedid.provisioning;

import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.topology.CurrentShardMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a shard map up to date. Listens on one connection to each database for changes of ownership, and then has the
 * map loaded again as a whole. It also polls now and then, and more often while a database cannot be asked, so that
 * one that was down joins when it is back. If the answers of the databases contradict each other, the previous map
 * stays, and a warning is logged once.
 *
 * <p>Without a keeper, or where notifications do not arrive, as behind a pooler in transaction mode, {@link
 * CurrentShardMap} is refreshed by the errors of the databases; statements only wait a little longer during a move.
 *
 * <p>Holds a daemon thread and a connection per database, and one more thread. Safe for use by several threads.
 */
public final class ShardMapKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardMapKeeper.class);
    private static final int SLOWEST = 5;

    private static final long CLOSING_MILLIS = 10_000;

    private final CurrentShardMap map;
    private final KeeperOptions options;
    private final List<MapListener> listeners;
    private final Thread poller;
    private final Semaphore wake = new Semaphore(0);
    private volatile boolean closed;
    private @Nullable String reported;

    /**
     * Starts to keep a map up to date.
     *
     * @param map the map, whose source asks the databases
     * @param databases the databases by name. A connection of each is held as long as this is open: so they should not be the
     *     pools that serve the application, unless these have one to spare. They are not closed by this
     */
    public ShardMapKeeper(CurrentShardMap map, Map<String, ? extends DataSource> databases) {
        this(map, databases, KeeperOptions.DEFAULT);
    }

    /**
     * Starts to keep a map up to date.
     *
     * @param map the map, whose source asks the databases
     * @param databases the databases by name. A connection of each is held as long as this is open: so they should not be the
     *     pools that serve the application, unless these have one to spare. They are not closed by this
     * @param options how often the databases are asked
     */
    public ShardMapKeeper(CurrentShardMap map, Map<String, ? extends DataSource> databases, KeeperOptions options) {
        this.map = map;
        this.options = options;
        this.poller = Workers.thread("sharded-id-map", this::poll);
        Duration slowest = options.retry().multipliedBy(SLOWEST);
        this.listeners = new TreeMap<>(databases)
                .entrySet().stream()
                        .map(each -> new MapListener(each.getKey(), each.getValue(), slowest, this::changed))
                        .toList();
        poller.start();
        listeners.forEach(MapListener::start);
    }

    /** The databases with a connection that listens now; for tests. */
    public List<String> listening() {
        return listeners.stream()
                .filter(MapListener::isListening)
                .map(MapListener::database)
                .toList();
    }

    /** Several notifications of the same change cause one load, or two. */
    private void changed() {
        map.refreshSince(map.nanoTime());
        if (!isComplete() || !map.fencedShards().isEmpty()) {
            wake.release();
        }
    }

    private boolean isComplete() {
        return map.lastFailure() == null && map.get().unreachableDatabases().isEmpty();
    }

    /** Polls more often while a shard is fenced, and with growing pauses while a database cannot be asked. */
    private void poll() {
        long poll = options.poll().toNanos();
        long retry = options.retry().toNanos();
        long pause = retry;
        while (true) {
            report();
            boolean complete = isComplete();
            pause = complete ? retry : Math.min(2 * pause, SLOWEST * retry);
            long longest = map.fencedShards().isEmpty() ? poll : Math.min(poll, retry);
            try {
                if (wake.tryAcquire(complete ? longest : pause / 2, TimeUnit.NANOSECONDS)) {
                    wake.drainPermits();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            if (closed) {
                return;
            }
            map.refreshSince(map.nanoTime() - Math.min(pause, poll) / 2);
        }
    }

    /** Logs each message once. */
    private void report() {
        String failure = map.lastFailure();
        if (failure != null && !failure.equals(reported)) {
            LOG.warn("Inconsistent shard ownership; keeping the previous shard map: {}", failure);
        } else if (failure == null && reported != null) {
            LOG.info("Shard ownership is consistent again");
        }
        reported = failure;
    }

    /** Ends its threads and returns its connections. */
    @Override
    public void close() {
        closed = true;
        poller.interrupt();
        listeners.forEach(MapListener::stop);
        try {
            poller.join(CLOSING_MILLIS);
            for (MapListener listener : listeners) {
                listener.join(CLOSING_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
