package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the subscription while it copies, and reports its progress. */
public final class CopyMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(CopyMonitor.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long REPORT = Duration.ofSeconds(1).toNanos();
    private static final int FAILURES = 3;

    private static final String TOTAL = "SELECT sum(greatest(reltuples, 0))::bigint, sum(pg_table_size(c.oid))::bigint"
            + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'";

    private static final String BYTES = "SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'";

    private static final String ROWS = "SELECT coalesce(sum(tuples_processed), 0)::bigint FROM pg_stat_progress_copy p"
            + " JOIN pg_class c ON c.oid = p.relid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?";

    private static final String LAG =
            "SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots" + " WHERE slot_name = ?";

    private static final String STATES = "SELECT srrelid, srsubstate FROM pg_subscription_rel r JOIN pg_subscription s"
            + " ON s.oid = r.srsubid WHERE s.subname = ? ORDER BY srrelid";

    private static final String END_WORKERS =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_subscription WHERE subname = ? AND pid IS NOT NULL";

    private final MoveContext moving;
    private final long began = System.nanoTime();
    private final SubscriptionWorkers workers;
    private ReplicationSource reach;
    private long errorsBefore;
    private long reported;
    private long checked;
    private List<List<@Nullable String>> arrived = List.of();
    private long arrivedAt = System.nanoTime();
    private boolean restarted;

    public CopyMonitor(MoveContext moving) throws SQLException {
        this.moving = moving;
        this.workers = new SubscriptionWorkers(moving);
        this.reach = ReplicationEndpoint.of(moving);
        this.errorsBefore = errors();
    }

    /** Waits until all tables are copied. */
    public void await() throws SQLException {
        long[] total = Sql.query(
                        moving.source(),
                        TOTAL,
                        row -> new long[] {row.getLong(1), row.getLong(2)},
                        moving.names().schema())
                .get(0);
        while (!isCopied()) {
            checkApplied();
            checkArrives();
            if (System.nanoTime() - reported >= REPORT) {
                reported = System.nanoTime();
                report(total[0], total[1]);
            }
            moving.sleep(POLL);
        }
    }

    private boolean isCopied() throws SQLException {
        return Sql.is(
                moving.target(),
                "SELECT coalesce(bool_and(srsubstate = 'r'), true) FROM pg_subscription_rel r JOIN pg_subscription s"
                        + " ON s.oid = r.srsubid WHERE s.subname = ?",
                subscription());
    }

    /** A row that cannot be applied stops replication for good; the server's log says which. */
    public void checkApplied() throws SQLException {
        if (errors() - errorsBefore >= FAILURES) {
            reconnectOrStop("the target cannot apply what replication brings; the log of its server says why,"
                    + " and subscription " + subscription() + " there tries again until it can.");
        } else if (workers.areFailing()) {
            reconnectOrStop("the workers of subscription " + subscription() + " end as soon as they begin; the log of"
                    + " the target's server says why. It starts others until they can log in there and connect to the"
                    + " source as " + reach + ".");
        }
        if (Sql.is(moving.target(), "SELECT NOT subenabled FROM pg_subscription WHERE subname = ?", subscription())) {
            throw moving.unfinished("subscription " + subscription()
                    + " of the target is disabled; the log of its server says why. Enable it there first.");
        }
    }

    /** If the credentials were rotated since they were asked for, the workers try the new ones first. */
    private void reconnectOrStop(String failure) throws SQLException {
        if (ReplicationEndpoint.of(moving).equals(reach)) {
            throw moving.unfinished(failure);
        }
        reach = ReplicationEndpoint.reconnect(moving);
        errorsBefore = errors();
        workers.restarted();
    }

    /**
     * A copy whose connection has gone silent would wait without end: PostgreSQL has no timeout for it. Its workers are ended, and
     * the server starts others, which begin with that table again.
     */
    private void checkArrives() throws SQLException {
        long now = System.nanoTime();
        if (now - checked < REPORT) {
            return;
        }
        checked = now;
        List<List<@Nullable String>> seen = new ArrayList<>(Sql.rows(moving.target(), STATES, subscription()));
        seen.addAll(Sql.rows(moving.target(), BYTES, moving.names().schema()));
        seen.addAll(Sql.rows(moving.target(), ROWS, moving.names().schema()));
        if (!seen.equals(arrived)) {
            arrived = seen;
            arrivedAt = now;
            restarted = false;
            workers.worked();
        } else if (now - arrivedAt >= moving.options().catchUpTimeout().toNanos()) {
            restartWorkers();
            arrivedAt = now;
        }
    }

    /** Once: what stops those workers, such as a lock on a table, stops others too. */
    private void restartWorkers() throws SQLException {
        long seconds = moving.options().catchUpTimeout().toSeconds();
        if (restarted) {
            throw moving.unfinished(
                    "nothing has arrived at the target for " + 2 * seconds + " s, although the workers of"
                            + " subscription " + subscription()
                            + " were restarted after half of that. Look at what they wait for:"
                            + " pg_stat_activity of both servers.");
        }
        LOG.warn(
                "{}: nothing has arrived for {} s; restarting the workers of subscription {}",
                moving.title(),
                seconds,
                subscription());
        Sql.rows(moving.target(), END_WORKERS, subscription());
        restarted = true;
        workers.restarted();
    }

    private String subscription() {
        return moving.names().subscription();
    }

    private long errors() throws SQLException {
        return Sql.number(
                moving.target(),
                "SELECT apply_error_count + sync_error_count FROM pg_stat_subscription_stats WHERE subname = ?",
                subscription());
    }

    private void report(long rowsTotal, long bytesTotal) throws SQLException {
        Connection target = moving.target();
        long bytes = Sql.number(target, BYTES, moving.names().schema());
        long rows = Sql.number(target, ROWS, moving.names().schema());
        long elapsed = System.nanoTime() - began;
        Duration left = bytes <= 0 || bytesTotal < bytes
                ? null
                : Duration.ofNanos((long) (elapsed * (double) (bytesTotal - bytes) / bytes));
        moving.report(
                new MoveProgress(moving.move(), MoveStep.COPY, rows, rowsTotal, bytes, bytesTotal, lag(), left, null));
    }

    /** Returns how many bytes of log the target is behind; -1 if unknown. */
    public long lag() throws SQLException {
        String lag = Sql.text(moving.source(), LAG, moving.names().slot());
        return lag == null ? -1 : Long.parseLong(lag);
    }

    /**
     * Notices that the workers of a subscription end as soon as they begin. The server starts others without end, and counts no error if
     * the worker could not log in or connect.
     */
    private static final class SubscriptionWorkers {
        private static final Duration LONGEST = Duration.ofMinutes(1);
        private static final long INSPECTION = Duration.ofSeconds(1).toNanos();
        private static final int STARTS = 3;

        /** The workers that copy tables as long as a table is to be copied, then the one that applies changes. */
        private static final String RUNNING = "SELECT w.relid, w.pid FROM pg_stat_subscription w WHERE w.subname = ?"
                + " AND w.pid IS NOT NULL AND (w.relid IS NOT NULL) = EXISTS (SELECT FROM pg_subscription_rel r"
                + " WHERE r.srsubid = w.subid AND r.srsubstate NOT IN ('s', 'r'))";

        private final MoveContext moving;
        private final Duration timeout;
        private final Map<String, Set<@Nullable String>> copies = new HashMap<>();
        private List<List<@Nullable String>> before = List.of();
        private long inspected = System.nanoTime();
        private long worked = inspected;

        SubscriptionWorkers(MoveContext moving) {
            this.moving = moving;
            // Half: before the same time without an arrival is taken for a silent connection.
            Duration most = moving.options().catchUpTimeout().dividedBy(2);
            this.timeout = most.compareTo(LONGEST) < 0 ? most : LONGEST;
        }

        /** Called when something has arrived. */
        void worked() {
            worked = System.nanoTime();
        }

        /** Called when the workers have been ended for a known reason. */
        void restarted() {
            copies.clear();
            before = List.of();
            worked();
        }

        /** Returns whether none has worked for two inspections for long, or one has begun to copy the same table again and again. */
        boolean areFailing() throws SQLException {
            if (System.nanoTime() - inspected < INSPECTION) {
                return false;
            }
            inspected = System.nanoTime();
            List<List<@Nullable String>> running =
                    Sql.rows(moving.target(), RUNNING, moving.names().subscription());
            if (running.stream().anyMatch(before::contains)) {
                worked();
            }
            before = running;
            return isCopiedAgain(running) || inspected - worked >= timeout.toNanos();
        }

        private boolean isCopiedAgain(List<List<@Nullable String>> running) {
            boolean again = false;
            for (List<@Nullable String> worker : running) {
                String table = worker.get(0);
                if (table != null) {
                    Set<@Nullable String> starts = copies.computeIfAbsent(table, none -> new HashSet<>());
                    starts.add(worker.get(1));
                    again |= starts.size() > STARTS;
                }
            }
            return again;
        }
    }
}
