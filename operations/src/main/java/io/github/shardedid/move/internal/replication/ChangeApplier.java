package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Applies changes by a thread with connections of its own, until it is closed or fails. */
final class ChangeApplier implements Arrivals {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration END = Duration.ofSeconds(30);
    private static final String LAG =
            "SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = ?";

    private final Moving moving;
    private final Connection source;
    private final Connection target;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Exception failure;

    ChangeApplier(Moving moving) throws SQLException {
        this.moving = moving;
        this.source = moving.sourceData().getConnection();
        try {
            this.target = moving.targetData().getConnection();
        } catch (SQLException | RuntimeException e) {
            source.close();
            throw e;
        }
        this.thread = Workers.thread("sharded-id-apply-" + moving.shard(), this::run);
        thread.start();
    }

    private void run() {
        try (source;
                target) {
            ChangeRound round = new ChangeRound(moving, source, target);
            boolean idle = false;
            while (!stopping.await(idle ? POLL.toMillis() : 0, TimeUnit.MILLISECONDS)) {
                idle = !round.run();
            }
        } catch (SQLException | RuntimeException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void checkApplied() {
        Exception stopped = failure;
        if (stopped != null) {
            throw moving.unfinished(
                    "a change could not be applied at the target: " + FailureReason.of(stopped), stopped);
        }
    }

    @Override
    public long lag() throws SQLException {
        String lag = Sql.text(moving.source(), LAG, moving.names().slot());
        return lag == null ? -1 : Long.parseLong(lag);
    }

    /** Waits for the transaction that is being applied. One that does not end is broken off: it is applied again later, or never. */
    @Override
    public void close() throws SQLException {
        stopping.countDown();
        try {
            thread.join(END.toMillis());
            if (thread.isAlive()) {
                source.abort(Runnable::run);
                target.abort(Runnable::run);
                thread.join(END.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
