package io.github.shardedid.move.internal;

import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.ShardCopy;
import io.github.shardedid.move.internal.begin.MoveBegin;
import io.github.shardedid.move.internal.journal.HeldConnections;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.move.internal.journal.Journals;
import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Names;
import io.github.shardedid.move.internal.plan.Planning;
import io.github.shardedid.move.internal.plan.Plans;
import io.github.shardedid.move.internal.recovery.AbandonedMoves;
import io.github.shardedid.move.internal.recovery.BackupCopy;
import io.github.shardedid.move.internal.recovery.Copies;
import io.github.shardedid.move.internal.recovery.OldCopies;
import io.github.shardedid.move.internal.recovery.Recovery;
import io.github.shardedid.move.internal.recovery.ShardRestore;
import io.github.shardedid.move.internal.step.Abort;
import io.github.shardedid.move.internal.step.MoveRun;
import io.github.shardedid.move.internal.step.Switch;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Implements the operations of a {@link io.github.shardedid.move.ShardMover}: opens the sessions, takes the locks, and reports failures. */
public final class MoveOperations implements AbandonedMoves.Completion {
    private final Map<String, DataSource> databases;
    private final ShardMigrations migrations;
    private final MoveOptions options;
    private final MoveBegin begin;
    private final Journals overview;
    private final Plans plans;

    /** No database is asked yet. */
    public MoveOperations(
            ClusterDefinition definition,
            Map<String, DataSource> databases,
            ShardMigrations migrations,
            MoveOptions options) {
        this.databases = databases;
        this.migrations = migrations;
        this.options = options;
        this.overview = new Journals(databases);
        this.begin = new MoveBegin(definition, databases, migrations, options);
        this.plans = new Plans(databases, new Planning(definition, databases), options, this::move);
    }

    public List<String> check(int shard, String target) {
        try (HeldConnections held = new HeldConnections(databases, shard)) {
            return begin.obstacles(held, shard, target, false);
        } catch (DeferredMoveException e) {
            return List.of(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            return List.of(FailureReason.of(e));
        }
    }

    public Move move(int shard, String target, boolean offline) {
        Move begun;
        try (HeldConnections held = new HeldConnections(databases, shard)) {
            begun = begin.begin(held, shard, target, offline);
        } catch (SQLException e) {
            String message = "Shard " + shard + " is not moved to " + target + ": " + FailureReason.of(e)
                    + ". Nothing was begun.";
            throw Interruption.is(e) ? new DeferredMoveException(message) : new MoveRefusedException(message);
        }
        return reportingStop(begun, () -> run(begun));
    }

    /** Runs the unfinished move of a shard from where it stopped. */
    public Move resume(int shard) {
        return resume(overview.open(shard));
    }

    /** Runs a move from where it stopped. Asks only its own databases. */
    @Override
    public Move resume(Move seen) {
        return reportingStop(seen, () -> run(seen));
    }

    private Move reportingStop(Move seen, Supplier<Move> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            reportStop(seen, e);
            throw e;
        }
    }

    private void reportStop(Move seen, RuntimeException failure) {
        try {
            options.listener().stopped(seen, failure);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private Move run(Move seen) {
        try (HeldConnections held = new HeldConnections(databases, seen.shard())) {
            Moving moving = moving(held, seen, held.lock(seen.source()), held.lock(seen.target()));
            try {
                return new MoveRun(moving).run();
            } catch (DeferredMoveException e) {
                throw e; // Another instance may go on.
            } catch (MoveRefusedException e) {
                if (moving.journal().read().step() == MoveStep.PREPARE) {
                    new Abort(moving).run(e.getMessage(), null);
                }
                throw e;
            } catch (SQLException | RuntimeException e) {
                throw failed(moving, e);
            }
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    "The move of shard " + seen.shard() + " from " + seen.source() + " to " + seen.target()
                            + " was not continued: " + FailureReason.of(e) + ". Resume or abort it.",
                    e);
        }
    }

    private static RuntimeException failed(Moving moving, Exception e) {
        if (!Interruption.is(e)) {
            try {
                moving.journal().failed(FailureReason.of(e));
            } catch (SQLException | RuntimeException second) {
                e.addSuppressed(second);
            }
        }
        return e instanceof RuntimeException unchecked ? unchecked : moving.unfinished(FailureReason.of(e) + ".", e);
    }

    private Moving moving(HeldConnections held, Move seen, Connection source, @Nullable Connection target)
            throws SQLException {
        Move move = new Journal(source, seen.id()).read();
        if (move.step().ended()) {
            throw new MoveRefusedException(
                    "The move of shard " + move.shard() + " is " + move.step() + " already. Nothing was changed.");
        }
        return new Moving(
                move,
                Names.of(move),
                source,
                target,
                held.data(move.source()),
                held.data(move.target()),
                new Journal(source, move.id()),
                migrations,
                options);
    }

    /** Aborts the unfinished move of a shard. */
    public Move abort(int shard) {
        return abort(overview.open(shard), null);
    }

    @Override
    public Move abort(Move seen, @Nullable String reason) {
        return reportingStop(seen, () -> aborted(seen, reason));
    }

    private Move aborted(Move seen, @Nullable String reason) {
        int shard = seen.shard();
        try (HeldConnections held = new HeldConnections(databases, shard)) {
            Connection source = held.lock(seen.source());
            Connection target = null;
            String left = null;
            try {
                target = held.lock(seen.target());
            } catch (SQLException e) {
                left = "left in database " + seen.target() + ", which could not be reached: subscription and schema "
                        + Names.of(seen).object() + ", " + Names.of(seen).schema();
            }
            Moving moving = moving(held, seen, source, target);
            requireNotTaken(moving, left);
            try {
                return new Abort(moving).run(reason, left);
            } catch (SQLException | RuntimeException e) {
                throw failed(moving, e);
            }
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    "The abort of the move of shard " + shard + " was not continued: " + FailureReason.of(e)
                            + ". Abort it again.",
                    e);
        }
    }

    private static void requireNotTaken(Moving moving, @Nullable String left) throws SQLException {
        MoveStep step = moving.move().step();
        if (left != null && step == MoveStep.SWITCH) {
            throw new MoveUnfinishedException(
                    moving.title()
                            + " cannot be aborted: it stopped in the moment of the switch, and whether the target"
                            + " owns the shard is known only when the target can be reached.",
                    null);
        }
        if (step == MoveStep.CLEAN_UP || (left == null && new Switch(moving).isTaken())) {
            throw new MoveRefusedException(moving.title()
                    + " cannot be aborted: the target owns the shard. Resume it, and move the shard back if need be.");
        }
    }

    /** All moves. */
    public List<Move> all() {
        return overview.all();
    }

    /** Plans that were begun. */
    public Plans plans() {
        return plans;
    }

    @Override
    public List<Move> run(RecordedPlan plan) {
        return plans.run(plan);
    }

    /** Reports the copies of a shard. */
    public List<ShardCopy> copies(int shard) {
        try (HeldConnections held = new HeldConnections(databases, shard)) {
            return Copies.read(held, databases.keySet(), shard).report();
        } catch (SQLException e) {
            throw new MoveRefusedException(
                    "The copies of shard " + shard + " cannot be read: " + FailureReason.of(e) + ".");
        }
    }

    /** Makes one of the copies the shard. */
    public void recover(int shard, String database) {
        try (HeldConnections held = new HeldConnections(databases, shard)) {
            new Recovery(shard, database, Copies.read(held, databases.keySet(), shard)).run();
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    "The recovery of shard " + shard + " in " + database + " has stopped: " + FailureReason.of(e)
                            + ". Run it again; it continues.",
                    e);
        }
    }

    /** Replaces a shard's rows by those of a backup. */
    public void restore(int shard, DataSource backup) {
        try (HeldConnections held = new HeldConnections(databases, shard);
                BackupCopy copy = BackupCopy.open(backup, shard)) {
            new ShardRestore(shard, Copies.read(held, databases.keySet(), shard), copy, migrations, options).run();
        } catch (SQLException e) {
            throw new MoveRefusedException(
                    "Shard " + shard + " is not restored: " + FailureReason.of(e) + ". Its rows are as before.");
        }
    }

    /** What prevents the copies of these shards from being dropped, a sentence for each shard; empty if nothing does. */
    public List<String> obstaclesToDrop(ShardRanges shards, String database) {
        List<String> obstacles = new ArrayList<>();
        for (int shard : shards.shards().toArray()) {
            overview.requireNoneOpen(shard);
            try (HeldConnections held = new HeldConnections(databases, shard)) {
                String obstacle = OldCopies.obstacle(held.lock(database), shard, database);
                if (obstacle != null) {
                    obstacles.add(obstacle);
                }
            } catch (SQLException e) {
                throw new MoveRefusedException("The old copy of shard " + shard + " in " + database
                        + " could not be looked for: " + FailureReason.of(e) + ". Nothing was changed.");
            }
        }
        return obstacles;
    }

    /** Drops copies that moves have left. */
    public void dropOldCopy(int shard, String database) {
        overview.requireNoneOpen(shard);
        try (HeldConnections held = new HeldConnections(databases, shard)) {
            OldCopies.drop(held.lock(database), shard, database);
            overview.forget(shard, database);
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    "The old copy of shard " + shard + " in " + database + " was not dropped: " + FailureReason.of(e)
                            + ".",
                    e);
        }
    }
}
