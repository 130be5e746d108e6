package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.internal.Moves;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.PlannedMove;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs the moves of a plan, some at once. */
public final class PlanRun {
    private final Moves moves;
    private final int atOnce;
    private final boolean offline;

    public PlanRun(Moves moves, int atOnce, boolean offline) {
        this.moves = moves;
        this.atOnce = atOnce;
        this.offline = offline;
    }

    public List<Move> run(MovePlan plan) {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce, work -> {
            Thread thread = new Thread(work, "sharded-id-move");
            thread.setDaemon(true);
            return thread;
        });
        AtomicBoolean failed = new AtomicBoolean();
        try {
            List<Future<List<Move>>> pending = new ArrayList<>();
            for (PlannedMove planned : plan.moves()) {
                pending.add(threads.submit(() -> one(planned, failed)));
            }
            return collect(pending);
        } finally {
            threads.shutdownNow();
        }
    }

    private List<Move> one(PlannedMove planned, AtomicBoolean failed) {
        if (failed.get()) {
            return List.of();
        }
        boolean done = false;
        try {
            Move move = moves.move(planned.shard(), planned.target(), offline);
            done = true;
            return List.of(move);
        } finally {
            if (!done) {
                failed.set(true);
            }
        }
    }

    private static List<Move> collect(List<Future<List<Move>>> pending) {
        List<Move> done = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        for (Future<List<Move>> one : pending) {
            try {
                done.addAll(one.get());
            } catch (ExecutionException e) {
                failures.add(e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MoveUnfinishedException(
                        "The plan's run was interrupted. Resume the moves that have begun.", e);
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
        return done;
    }
}
