package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.comparison.ContentComparison;
import io.github.shardedid.move.internal.replication.CopyMonitor;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lets the copy catch up with the shard and compares both, so that little is left to do under the fence.
 *
 * <ol>
 *   <li>Markers are written at the source until one arrives at the target within a moment.
 *   <li>All rows are compared, while the application writes.
 *   <li>The rows that have changed since are compared, again and again, until they are few.
 *   <li>Markers are written again until one arrives at once: the fence can be tried.
 *   <li>Under the fence, its marker is awaited, and the rows of the last round are compared.
 * </ol>
 */
final class CatchUp {
    private static final Duration NEAR = Duration.ofMillis(200);
    private static final Duration UNDER_THE_FENCE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int FEW = 1_000;
    private static final int ROUNDS = 20;

    private final MoveContext moving;
    private final Replication replication;
    private @Nullable ContentComparison comparison;

    CatchUp(MoveContext moving) {
        this.moving = moving;
        this.replication = new Replication(moving);
    }

    void run() throws SQLException {
        long end = System.nanoTime() + moving.options().catchUpTimeout().toNanos();
        CopyMonitor watch = new CopyMonitor(moving);
        near(watch, end);
        Sql.execute(
                moving.target(),
                "ANALYZE " + ShardTables.list(moving.schema(), ShardTables.copied(moving.target(), moving.schema())));
        ContentComparison compared = new ContentComparison(
                moving.sourceData(),
                moving.targetData(),
                moving.schema(),
                moving.object(),
                moving.comparisonSlot(),
                () -> arrived(watch, end),
                ContentComparison.ROWS_IN_A_RANGE,
                ContentComparison.KEYS_IN_MEMORY);
        comparison = compared;
        compared.full();
        long changed = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS && changed > FEW; i++) {
            changed = compared.round();
        }
        near(watch, end);
    }

    /** Waits until writes at the source arrive at the target within a moment. */
    private void near(CopyMonitor watch, long end) throws SQLException {
        long since;
        do {
            since = System.nanoTime();
            arrived(watch, end);
        } while (System.nanoTime() - since > NEAR.toNanos() && System.nanoTime() < end);
    }

    /** Waits until everything that is committed at the source now is at the target. */
    private void arrived(CopyMonitor watch, long end) throws SQLException {
        long begin = System.nanoTime();
        UUID id = replication.writeMarker();
        while (!replication.awaitMarker(id, LOOK)) {
            watch.checkApplied();
            watch.silentFor(Duration.ofNanos(System.nanoTime() - begin));
            moving.report(new MoveProgress(moving.move(), MoveStep.CATCH_UP, -1, -1, watch.lag(), null));
            if (System.nanoTime() - end >= 0) {
                throw moving.unfinished("the target did not catch up within "
                        + moving.options().catchUpTimeout().toSeconds() + " s; it is " + watch.lag()
                        + " bytes of log behind.");
            }
        }
    }

    /** Under the fence: waits for the last writes, and compares what has changed since the last round. */
    void last(UUID written) throws SQLException {
        long end = System.nanoTime() + UNDER_THE_FENCE.toNanos();
        while (!replication.awaitMarker(written, LOOK)) {
            Sql.number(moving.source(), "SELECT 1"); // Fails if the source is down: then nothing arrives any more.
            if (System.nanoTime() - end >= 0) {
                throw moving.unfinished(
                        "the last writes did not arrive at the target within " + UNDER_THE_FENCE.toSeconds() + " s.");
            }
        }
        if (comparison != null) {
            comparison.last(moving.fenced());
        }
    }

    void close() throws SQLException {
        if (comparison != null) {
            comparison.close();
            comparison = null;
        }
    }
}
