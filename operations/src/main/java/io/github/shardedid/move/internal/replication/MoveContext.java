package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A move that this process works on: its two databases, over sessions that stay the same, and its journal. */
public record MoveContext(
        Move move,
        Connection source,
        @Nullable Connection reachedTarget,
        DataSource sourceData,
        DataSource targetData,
        MoveJournal journal,
        ShardMigrations migrations,
        MoveOptions options) {
    private static final Logger LOG = LoggerFactory.getLogger(MoveContext.class);

    public int shard() {
        return move.shard();
    }

    /** The shard's schema. */
    public String schema() {
        return ShardSchema.nameOf(move.shard());
    }

    /** The name of that schema at the source while it is fenced, and after the move. */
    public String fenced() {
        return ShardSchema.fencedNameOf(move.shard(), move.generation());
    }

    /** The name of the publication, the subscription and its slot. */
    public String object() {
        return MoveNames.object(move);
    }

    /** The slot from which the comparison reads which rows have changed. */
    public String comparisonSlot() {
        return object() + "_cmp";
    }

    /** Not for an abort, which may do without the target. */
    public Connection target() {
        return Objects.requireNonNull(reachedTarget);
    }

    public void report(MoveProgress progress) {
        try {
            options.listener().progress(progress);
        } catch (RuntimeException e) {
            LOG.warn("{}: the listener failed", move, e);
        }
    }

    public MoveUnfinishedException unfinished(String why) {
        return unfinished(why, null);
    }

    public MoveUnfinishedException unfinished(String why, @Nullable Throwable cause) {
        return new MoveUnfinishedException(
                move + " has stopped: " + why
                        + " Resume it to go on from its journal, or abort it to leave the shard in " + move.source()
                        + ".",
                cause);
    }

    /** Waits a little; an interrupt leaves the move unfinished. */
    public void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Tries until there is a result, or returns null; an interrupt leaves the move unfinished. */
    public <T> @Nullable T retry(RetryPolicy policy, RetryPolicy.Attempt<T> attempt) throws SQLException {
        try {
            return policy.run(attempt);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private MoveUnfinishedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return unfinished("its thread was interrupted.", e);
    }

    /** Waits for a condition; returns whether it was met in time. */
    public boolean await(Duration timeout, Duration poll, Sql.Query<Boolean> condition) throws SQLException {
        return retry(RetryPolicy.every(poll, timeout), () -> condition.run() ? Boolean.TRUE : null) != null;
    }
}
