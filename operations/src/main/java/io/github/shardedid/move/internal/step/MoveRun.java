package io.github.shardedid.move.internal.step;

import io.github.shardedid.WayOut;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.replication.CopyMonitor;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.move.internal.replication.ReplicationEndpoint;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the steps of one move. Each is recorded in the journal first. */
public final class MoveRun {
    private static final Logger LOG = LoggerFactory.getLogger(MoveRun.class);

    /** Added to what a statement may wait for a lock. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final Set<MoveStep> UNAVAILABLE = Set.of(MoveStep.FENCE, MoveStep.CARRY_OVER, MoveStep.SWITCH);

    private final MoveContext moving;
    private final CatchUp catchUp;
    private Fence.@Nullable Taken taken;

    public MoveRun(MoveContext moving) {
        this.moving = moving;
        this.catchUp = new CatchUp(moving);
    }

    /** Runs from the recorded step to the end. */
    public Move run() throws SQLException {
        int[] before = {moving.source().getNetworkTimeout(), moving.target().getNetworkTimeout()};
        MoveStep step = MoveStep.PREPARE;
        try {
            limitSilence(moving.move().step(), before);
            step = first(moving.move().step());
            while (!step.ended()) {
                LOG.info("{}: {}", moving.move(), step);
                limitSilence(step, before);
                moving.report(MoveProgress.of(moving.journal().read()));
                MoveStep next = take(step);
                if (step != MoveStep.FENCE) { // whose own commit names the next one
                    moving.journal().step(next);
                }
                step = next;
            }
        } catch (SQLException | RuntimeException e) {
            reopen(step, e);
            throw e;
        } finally {
            catchUp.close();
        }
        Move done = moving.journal().read();
        moving.report(MoveProgress.of(done));
        return done;
    }

    /**
     * Ends the wait for a server that is silent while the shard is unavailable. The statements of these steps are short, an offline copy
     * excepted. Copies and comparisons of a shard that is served may take hours, and have no limit. Whoever holds the connections restores
     * their limits.
     */
    private void limitSilence(MoveStep step, int[] before) throws SQLException {
        boolean limited = UNAVAILABLE.contains(step)
                && !(step == MoveStep.CARRY_OVER && moving.move().offline());
        int millis =
                Math.toIntExact(SILENCE.plus(moving.options().lockTimeout()).toMillis());
        if (!moving.source().isClosed()) {
            moving.source().setNetworkTimeout(Runnable::run, limited ? millis : before[0]);
        }
        if (!moving.target().isClosed()) {
            moving.target().setNetworkTimeout(Runnable::run, limited ? millis : before[1]);
        }
    }

    private MoveStep take(MoveStep step) throws SQLException {
        return switch (step) {
            case PREPARE -> prepare();
            case PUBLISH -> {
                new Replication(moving).publish();
                yield MoveStep.COPY;
            }
            case COPY -> {
                new CopyMonitor(moving).await();
                yield MoveStep.CATCH_UP;
            }
            case CATCH_UP -> catchUp();
            case FENCE -> {
                taken = new Fence(moving).take();
                yield MoveStep.CARRY_OVER;
            }
            case CARRY_OVER -> carryOver();
            case SWITCH -> switchOver();
            case CLEAN_UP -> cleanUp();
            case DONE, ABORTING, ABORTED -> throw new IllegalStateException("No step of a running move: " + step);
        };
    }

    /** The step to continue with, by the journal and by what exists. */
    private MoveStep first(MoveStep journalled) throws SQLException {
        if (journalled.compareTo(MoveStep.CARRY_OVER) < 0 && new Cutover(moving).isTaken()) {
            throw new MoveRefusedException(
                    moving.move() + " ended long ago: the target has taken the shard over, and the"
                            + " source was restored from an older backup. "
                            + WayOut.RECOVER.of(moving.shard(), moving.move().target())
                            + " closes this journal and fences the outdated copy.");
        }
        MoveStep step =
                switch (journalled) {
                    case PREPARE, PUBLISH -> MoveStep.PREPARE;
                    case COPY, CATCH_UP, FENCE -> unfenced(journalled);
                    case CARRY_OVER, SWITCH ->
                        new Cutover(moving).isTaken() ? MoveStep.CLEAN_UP : unfenced(MoveStep.CATCH_UP);
                    case CLEAN_UP -> MoveStep.CLEAN_UP;
                    case DONE, ABORTING, ABORTED ->
                        throw new MoveRefusedException(
                                moving.move() + " is being aborted. Abort it again to complete that.");
                };
        moving.journal().step(step);
        return step;
    }

    /** A copy that was compared with the shard by another process is compared again, while the shard is served. */
    private MoveStep unfenced(MoveStep journalled) throws SQLException {
        MoveStep step = MoveStep.PREPARE;
        if (!moving.move().offline() && new Replication(moving).isComplete()) {
            step = journalled.compareTo(MoveStep.CATCH_UP) < 0 ? journalled : MoveStep.CATCH_UP;
            ReplicationEndpoint.reconnect(moving);
        }
        new Fence(moving).remove(StoredShard.MOVING, step);
        return step;
    }

    /** Nothing is there yet that an abort could lose: it lets the shard be migrated, after which the move can begin again. */
    private MoveStep prepare() throws SQLException {
        String missing = MoveCheck.missingScripts(
                moving.migrations(), moving.shard(), moving.move().source(), moving.source());
        if (missing != null) {
            throw new MoveRefusedException(moving.move() + " cannot go on: " + missing);
        }
        Replication.unsubscribe(moving.target(), moving.shard());
        new Replication(moving).remove(moving.schema());
        new TargetSchema(moving).prepare();
        return moving.move().offline() ? MoveStep.FENCE : MoveStep.PUBLISH;
    }

    private MoveStep catchUp() throws SQLException {
        catchUp.run();
        String differences = new TargetSchema(moving).differences();
        if (!differences.isEmpty()) {
            throw moving.unfinished("the schemas differ since it began: " + differences + ".");
        }
        return MoveStep.FENCE;
    }

    private MoveStep carryOver() throws SQLException {
        if (moving.move().offline()) {
            new OfflineCopy(moving).run();
        } else if (taken != null) {
            catchUp.last(taken.marker());
        }
        Sequences.carryOver(moving);
        return MoveStep.SWITCH;
    }

    private MoveStep switchOver() throws SQLException {
        new Cutover(moving).perform();
        if (taken != null) {
            Duration pause = Duration.ofNanos(System.nanoTime() - taken.since());
            moving.journal().record("pause_ms", pause.toMillis());
        }
        return MoveStep.CLEAN_UP;
    }

    /** First, clients of the source are redirected; the rest can wait. */
    private MoveStep cleanUp() throws SQLException {
        StoredShard.setState(moving.source(), moving.shard(), StoredShard.MOVED, StoredShard.FENCED);
        Replication.unsubscribe(moving.target(), moving.shard());
        new Replication(moving).remove(moving.fenced());
        Sql.execute(moving.target(), "DROP TABLE IF EXISTS " + new TargetSchema(moving).marker());
        return MoveStep.DONE;
    }

    /** After a failure under the fence, before the switch, the shard is served again without waiting for a resume. */
    private void reopen(MoveStep step, Exception failure) {
        try {
            if (step == MoveStep.CARRY_OVER || (step == MoveStep.SWITCH && !new Cutover(moving).isTaken())) {
                new Fence(moving)
                        .remove(StoredShard.MOVING, moving.move().offline() ? MoveStep.PREPARE : MoveStep.CATCH_UP);
            } else if (List.of(MoveStep.CATCH_UP, MoveStep.FENCE).contains(step)) {
                StoredShard.setState(moving.source(), moving.shard(), StoredShard.MOVING, StoredShard.FENCING);
            }
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
