package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watches the subscription while it copies, and reports its progress. */
public final class CopyMonitor {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long REPORT = Duration.ofSeconds(1).toNanos();
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final int FAILURES = 3;

    private static final String BYTES = Sql.load(CopyMonitor.class, "copied_bytes.sql");

    private static final String LAG = Sql.load(CopyMonitor.class, "slot_lag.sql");

    private static final String STATES = Sql.load(CopyMonitor.class, "copy_states.sql");
    private static final String ERRORS = Sql.load(CopyMonitor.class, "apply_errors.sql");

    private final MoveContext moving;
    private ReplicationSource reach;
    private long errorsBefore;
    private long reported;
    private List<List<@Nullable String>> arrived = List.of();
    private long arrivedAt = System.nanoTime();
    private boolean asked;

    public CopyMonitor(MoveContext moving) throws SQLException {
        this.moving = moving;
        this.reach = ReplicationEndpoint.of(moving);
        this.errorsBefore = errors();
    }

    /** Waits until all tables are copied. */
    public void await() throws SQLException {
        long total = Sql.number(moving.source(), BYTES, moving.schema());
        while (!isCopied()) {
            checkApplied();
            if (System.nanoTime() - reported >= REPORT) {
                reported = System.nanoTime();
                checkArrives();
                long bytes = Sql.number(moving.target(), BYTES, moving.schema());
                moving.report(new MoveProgress(moving.move(), MoveStep.COPY, bytes, total, lag(), null));
            }
            moving.sleep(POLL);
        }
    }

    private boolean isCopied() throws SQLException {
        return Sql.rows(moving.target(), STATES, moving.object()).stream().allMatch(table -> "r".equals(table.get(1)));
    }

    /** A row that cannot be applied stops replication for good; the server's log says which. */
    public void checkApplied() throws SQLException {
        if (errors() - errorsBefore >= FAILURES && !reconnect()) {
            throw moving.unfinished("the target cannot apply what replication brings; the log of its server says why,"
                    + " and subscription " + moving.object() + " there tries again until it can.");
        }
        if (Sql.is(moving.target(), "SELECT NOT subenabled FROM pg_subscription WHERE subname = ?", moving.object())) {
            throw moving.unfinished("subscription " + moving.object()
                    + " of the target is disabled; the log of its server says why. Enable it there first.");
        }
    }

    /** If the credentials were rotated since they were asked for, the workers try the new ones; returns whether they were. */
    private boolean reconnect() throws SQLException {
        if (ReplicationEndpoint.of(moving).equals(reach)) {
            return false;
        }
        reach = ReplicationEndpoint.reconnect(moving);
        errorsBefore = errors();
        return true;
    }

    /**
     * A copy whose connection has gone silent would wait without end: PostgreSQL has no timeout for it. Nor does it count an error of a
     * worker that cannot log in or connect.
     */
    private void checkArrives() throws SQLException {
        List<List<@Nullable String>> seen = new ArrayList<>(Sql.rows(moving.target(), STATES, moving.object()));
        seen.addAll(Sql.rows(moving.target(), BYTES, moving.schema()));
        long now = System.nanoTime();
        if (!seen.equals(arrived)) {
            arrived = seen;
            arrivedAt = now;
            asked = false;
            return;
        }
        Duration silent = Duration.ofNanos(now - arrivedAt);
        Duration timeout = moving.options().catchUpTimeout();
        silentFor(silent);
        if (silent.compareTo(timeout) >= 0) {
            throw moving.unfinished("nothing has arrived at the target for " + timeout.toSeconds()
                    + " s. If the workers of subscription " + moving.object()
                    + " wait, pg_stat_activity of both servers shows for what. If they end as"
                    + " soon as they begin, the log of the target's server says why: they cannot log in there, or not"
                    + " connect to the source as " + reach + ".");
        }
    }

    /** Called while nothing arrives: the credentials with which the workers connect may have been rotated. */
    public void silentFor(Duration time) throws SQLException {
        if (!asked && time.compareTo(SILENCE) >= 0) {
            asked = true;
            reconnect();
        }
    }

    private long errors() throws SQLException {
        return Sql.number(moving.target(), ERRORS, moving.object());
    }

    /** Returns how many bytes of log the target is behind; -1 if unknown. */
    public long lag() throws SQLException {
        return Sql.number(moving.source(), LAG, moving.object());
    }
}
