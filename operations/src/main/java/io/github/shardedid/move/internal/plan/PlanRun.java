package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.operations.internal.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Runs the moves of a plan, some at once. */
public final class PlanRun {
    private final int concurrent;
    private final Function<PlannedMove, Move> mover;
    private final AtomicBoolean failed = new AtomicBoolean();

    /** Runs nothing yet. */
    public PlanRun(int concurrent, Function<PlannedMove, Move> mover) {
        this.concurrent = concurrent;
        this.mover = mover;
    }

    /** Returns the moves in the order of the plan. After a failure none is begun; those under way end first. */
    public List<Move> run(MovePlan plan) {
        ExecutorService threads = Workers.start("sharded-id-move", concurrent);
        try {
            List<Future<List<Move>>> pending = new ArrayList<>();
            for (PlannedMove planned : plan.moves()) {
                pending.add(threads.submit(() -> one(planned)));
            }
            return Workers.results(pending).stream().flatMap(List::stream).toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MoveUnfinishedException("The plan's run was interrupted. Resume the moves that have begun.", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private List<Move> one(PlannedMove planned) {
        if (failed.get()) {
            return List.of();
        }
        try {
            return List.of(mover.apply(planned));
        } catch (RuntimeException | Error e) {
            failed.set(true);
            throw e;
        }
    }
}
