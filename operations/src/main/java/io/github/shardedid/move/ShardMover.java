package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.TableReplication;
import io.github.shardedid.move.internal.step.Abort;
import io.github.shardedid.move.internal.step.Cutover;
import io.github.shardedid.move.internal.step.MoveBegin;
import io.github.shardedid.move.internal.step.MoveRun;
import io.github.shardedid.move.internal.step.RetiredCopies;
import io.github.shardedid.move.internal.step.ShardRecovery;
import io.github.shardedid.operations.internal.DatabaseNames;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves shards between the databases of a cluster while the application runs. Safe for use by several threads; processes exclude
 * each other per shard.
 *
 * <p>The users of the data sources must own the schemas of the shards, be able to create schemas at the target, to replicate at the
 * source and to create subscriptions at the target, unless {@linkplain #moveOffline offline}; {@link #check} says what is missing.
 * Session-level advisory locks must work: no transaction pooling in between. A move uses up to six connections.
 */
public final class ShardMover {
    private static final Logger LOG = LoggerFactory.getLogger(ShardMover.class);
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Map<String, DataSource> databases;
    private final ShardMigrations migrations;
    private final MoveOptions options;
    private final MoveBegin begin;
    private final MovePlans plans;

    /**
     * A mover with {@link MoveOptions#DEFAULT}; no database is asked yet. Otherwise as the other constructor.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by the names of the definition
     * @param migrations the application's own scripts, which make the schema at the target
     */
    public ShardMover(
            ClusterDefinition definition, Map<String, ? extends DataSource> databases, ShardMigrations migrations) {
        this(definition, databases, migrations, MoveOptions.DEFAULT);
    }

    /**
     * A mover; no database is asked yet.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by the names of the definition
     * @param migrations the application's own scripts, which make the schema at the target
     * @param options how to move
     * @throws IllegalArgumentException if the names are not those of the definition
     */
    public ShardMover(
            ClusterDefinition definition,
            Map<String, ? extends DataSource> databases,
            ShardMigrations migrations,
            MoveOptions options) {
        DatabaseNames.requireSame(definition.initialShards().keySet(), databases.keySet());
        this.databases = new TreeMap<>(databases);
        this.migrations = migrations;
        this.options = options;
        this.begin = new MoveBegin(definition, this.databases, migrations, options);
        this.plans = new MovePlans(definition, this.databases);
    }

    /**
     * Checks whether a shard could be moved. Changes nothing.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the obstacles, with what to do
     */
    public List<String> check(int shard, String target) {
        try (HeldConnections held = HeldConnections.ofShard(databases, shard)) {
            return begin.obstacles(held, shard, target);
        } catch (ShardedIdException e) {
            return List.of(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            return List.of(FailureReason.of(e));
        }
    }

    /**
     * Moves a shard. Returns when the target owns it and everything created for the move is removed. The old copy stays at
     * the source, fenced, until {@link #dropOldCopy} is called.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the move as recorded in its journal
     * @throws MoveRefusedException if there is an obstacle; nothing was changed
     * @throws MoveUnfinishedException if it stopped before its end, or if the copies differ; the source keeps the shard then
     */
    public Move move(int shard, String target) {
        return move(shard, target, false);
    }

    /**
     * Moves a shard without logical replication: it is fenced first, then its rows are copied through this process. It cannot be
     * read or written until the move has ended.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the move as recorded in its journal
     * @throws MoveRefusedException if there is an obstacle; nothing was changed
     * @throws MoveUnfinishedException if it stopped before its end, or if the copies differ; the source keeps the shard then
     */
    public Move moveOffline(int shard, String target) {
        return move(shard, target, true);
    }

    private Move move(int shard, String target, boolean offline) {
        try (HeldConnections held = HeldConnections.ofShard(databases, shard)) {
            Move begun = begin.begin(held, shard, target, offline);
            return workOn(begun, () -> run(held, begun));
        }
    }

    /** Works on a move that has begun, and reports if it stops. */
    private Move workOn(Move seen, Sql.Query<Move> work) {
        RuntimeException stopped;
        try {
            return work.run();
        } catch (SQLException e) {
            stopped = new MoveUnfinishedException(
                    seen + " was not continued: " + FailureReason.of(e) + ". Resume or abort it.", e);
        } catch (RuntimeException e) {
            stopped = e;
        }
        try {
            options.listener().stopped(seen, stopped);
        } catch (RuntimeException second) {
            stopped.addSuppressed(second);
        }
        throw stopped;
    }

    private Move run(HeldConnections held, Move seen) throws SQLException {
        MoveContext moving = moving(held, seen, held.held(seen.source()), held.held(seen.target()));
        try {
            return new MoveRun(moving).run();
        } catch (MoveRefusedException e) {
            // If it is deferred, another instance may go on.
            if (!e.isDeferred() && moving.journal().read().step() == MoveStep.PREPARE) {
                new Abort(moving).run(e.getMessage(), null);
            }
            throw e;
        } catch (SQLException | RuntimeException e) {
            throw failed(moving, e);
        }
    }

    private static RuntimeException failed(MoveContext moving, Exception e) {
        if (!FailureReason.isInterruption(e)) {
            try {
                moving.journal().failed(FailureReason.of(e));
            } catch (SQLException | RuntimeException second) {
                e.addSuppressed(second);
            }
        }
        return e instanceof RuntimeException unchecked ? unchecked : moving.unfinished(FailureReason.of(e) + ".", e);
    }

    private MoveContext moving(HeldConnections held, Move seen, Connection source, @Nullable Connection target)
            throws SQLException {
        MoveJournal journal = new MoveJournal(source, seen.id());
        Move move = journal.read();
        if (move.step().ended()) {
            throw new MoveRefusedException(move + " is " + move.step() + " already. Nothing was changed.");
        }
        return new MoveContext(
                move, source, target, held.data(move.source()), held.data(move.target()), journal, migrations, options);
    }

    /**
     * Resumes an interrupted move from the step that its journal records.
     *
     * @param shard the logical shard
     * @return the move as recorded in its journal
     * @throws MoveRefusedException if no move of the shard is unfinished, or another process works on it
     * @throws io.github.shardedid.ShardedIdException if it stopped again, as {@link #move} does
     */
    public Move resume(int shard) {
        return resume(open(shard));
    }

    /** Asks only the databases of the move. */
    Move resume(Move seen) {
        return workOn(seen, () -> {
            try (HeldConnections held = HeldConnections.ofShard(databases, seen.shard())) {
                held.lock(seen.source());
                held.lock(seen.target());
                return run(held, seen);
            }
        });
    }

    /**
     * Aborts an interrupted move: the source keeps the shard, and everything created for the move is removed. What
     * cannot be removed because the target cannot be reached is named in the move's {@link Move#failure}.
     *
     * @param shard the logical shard
     * @return the move as recorded in its journal
     * @throws MoveRefusedException if no move of the shard is unfinished, another process works on it, or the target owns
     *     the shard already
     * @throws MoveUnfinishedException if it stopped before its end; run it again
     */
    public Move abort(int shard) {
        return abort(open(shard), null);
    }

    Move abort(Move seen, @Nullable String reason) {
        return workOn(seen, () -> {
            try (HeldConnections held = HeldConnections.ofShard(databases, seen.shard())) {
                return abort(held, seen, reason);
            }
        });
    }

    private Move abort(HeldConnections held, Move seen, @Nullable String reason) throws SQLException {
        Connection source = held.lock(seen.source());
        Connection target = null;
        String left = null;
        try {
            target = held.lock(seen.target());
        } catch (SQLException e) {
            left = "left in database " + seen.target() + ", which could not be reached: subscription and schema "
                    + MoveNames.object(seen) + ", " + ShardSchema.nameOf(seen.shard());
        }
        MoveContext moving = moving(held, seen, source, target);
        requireNotTaken(moving, left);
        try {
            return new Abort(moving).run(reason, left);
        } catch (SQLException | RuntimeException e) {
            throw failed(moving, e);
        }
    }

    private static void requireNotTaken(MoveContext moving, @Nullable String left) throws SQLException {
        MoveStep step = moving.move().step();
        if (left != null && step == MoveStep.SWITCH) {
            throw new MoveUnfinishedException(
                    moving.move()
                            + " cannot be aborted: it stopped in the moment of the switch, and whether the target"
                            + " owns the shard is known only when the target can be reached.",
                    null);
        }
        if (step == MoveStep.CLEAN_UP || (left == null && new Cutover(moving).isTaken())) {
            throw new MoveRefusedException(moving.move()
                    + " cannot be aborted: the target owns the shard. Resume it, and move the shard back if need be.");
        }
    }

    /**
     * All moves, ended and unfinished.
     *
     * @return the journals of all databases that can be reached, newest first
     */
    public List<Move> moves() {
        List<Move> moves = new ArrayList<>();
        Inquiry.Answers<List<Move>> answers = Inquiry.pinned(WAIT, (name, connection) -> MoveJournal.all(connection))
                .ask(databases);
        answers.results().values().forEach(moves::addAll);
        answers.unreachable()
                .forEach((name, why) -> LOG.warn("Database {} cannot be asked for its moves: {}", name, why));
        moves.sort(Comparator.comparing(Move::started).reversed());
        return moves;
    }

    private Optional<Move> unfinished(int shard) {
        return moves().stream()
                .filter(move -> move.shard() == shard && !move.step().ended())
                .findFirst();
    }

    private Move open(int shard) {
        return unfinished(shard)
                .orElseThrow(() -> new MoveRefusedException("No move of shard " + shard
                        + " is unfinished, as far as databases can be asked. Nothing was changed."));
    }

    /**
     * Plans the moves that reach a goal. Begins nothing.
     *
     * @param goal what is to be reached
     * @return the moves that are left, with those under way, by the numbers of the shards
     * @throws MoveRefusedException if a database cannot be reached, or the goal names one that does not exist
     */
    public List<PlannedMove> plan(MoveGoal goal) {
        return plans.situation(goal, plans.sizes()).moves();
    }

    /**
     * Records a plan, and runs nothing. {@link #run} runs it, or any process with a {@link ClusterRecovery}.
     *
     * @param goal what is to be reached
     * @param offline whether to move as {@link #moveOffline} does
     * @return the plan as recorded
     * @throws MoveRefusedException if another plan runs, the goal cannot be reached, or the plan cannot be recorded
     */
    public MovePlan begin(MoveGoal goal, boolean offline) {
        MovePlan begun = plans.begin(goal, offline);
        LOG.info("{} has begun, with {} moves to make", begun, begun.total());
        return begun;
    }

    /**
     * Reaches the goal of a plan, by several moves at once. They are planned again after each move, from where the shards are then. After a
     * failure no further one begins; those that run are not affected. If this process stops before the end, or does not know the scripts
     * of a shard, another one with a {@link ClusterRecovery} continues the plan. Returns at once if the plan has ended.
     *
     * @param plan as {@link #begin} or {@link #plans} has returned it
     * @return the moves that were made, in the order in which they began
     * @throws MoveRefusedException if another process runs it
     * @throws MoveRefusedException with {@link Reason#UNKNOWN_SCRIPTS} if this process does not know the scripts of a shard
     * @throws io.github.shardedid.ShardedIdException the first failure, with the others suppressed in it, once those under way have ended
     */
    public List<Move> run(MovePlan plan) {
        Set<UUID> made = new PlanRun(plan, plans, this::move).run(options.concurrentMoves());
        return moves().stream()
                .filter(move -> made.contains(move.id()))
                .sorted(Comparator.comparing(Move::started))
                .toList();
    }

    /**
     * Plans that were begun. Those that have ended are forgotten after a week.
     *
     * @return the plans of all databases that can be reached, newest first
     */
    public List<MovePlan> plans() {
        return plans.all();
    }

    /**
     * Stops a plan for good: no further move of it begins, in any process. Moves that are under way are not affected. One that has failed
     * is no longer reported.
     *
     * @param id such as {@code pg1-3}
     * @return the plan as recorded
     * @throws MoveRefusedException if it has ended, or cannot be reached
     */
    public MovePlan stopPlan(String id) {
        return plans.stop(id);
    }

    /**
     * Reports the copies of a shard in all databases, before {@link #recover}. Changes nothing.
     *
     * @param shard the logical shard
     * @return a line per database, in the order of their names
     * @throws MoveRefusedException if a database cannot be asked, or another process works on a move of the shard
     */
    public List<String> copies(int shard) {
        return held(shard, "The copies of shard " + shard + " cannot be read", held -> new ShardRecovery(
                        held, databases.keySet(), shard)
                .report());
    }

    /**
     * Lets all databases have copies of tables of the global database, which PostgreSQL's logical replication keeps up to date. Needs the
     * same rights as a move, in both directions of one with the global database as its source. Changes nothing if all is there; repeats
     * what is missing, or has changed by migrations.
     *
     * @param global the database and the schema of the tables; the copies are in a schema of the same name
     * @param tables their names, as PostgreSQL stores them; each has a primary key
     * @return the databases that have no copies, or outdated ones, each with the reason; empty if all have
     */
    public Map<String, String> replicate(GlobalDatabase global, Set<String> tables) {
        return new TableReplication(global, Set.copyOf(tables), databases, options).run();
    }

    /** Works with connections that are opened when they are needed. */
    private <T> T held(int shard, String undone, Sql.Reader<HeldConnections, T> work) {
        try (HeldConnections held = HeldConnections.ofShard(databases, shard)) {
            return work.read(held);
        } catch (SQLException e) {
            throw new MoveUnfinishedException(undone + ": " + FailureReason.of(e) + ". Run it again.", e);
        }
    }

    /**
     * Makes the copy in one database the shard, after a restore has left the shard without an owner. If the database owns the shard,
     * fences older copies in other databases. The generation is above all known ones, the sequences are above the ids of all copies,
     * and no JVM gets a lease until the longest one has passed. Deletes nothing: rows that exist only in other copies, see {@link
     * #copies}, stay there, fenced.
     *
     * @param shard the logical shard
     * @param database the database whose copy becomes the shard
     * @throws MoveRefusedException if a database cannot be reached, another one owns the shard, a move of it is
     *     unfinished, or the database has no complete copy; nothing was changed
     * @throws MoveUnfinishedException if it stopped before its end; run it again
     */
    public void recover(int shard, String database) {
        held(shard, "The recovery of shard " + shard + " in " + database + " has stopped", held -> {
            new ShardRecovery(held, databases.keySet(), shard).run(database);
            return database;
        });
    }

    /**
     * Drops the fenced copies of a shard that moves have left in a database, and what its journal records of ended moves.
     *
     * @param shard the logical shard
     * @param database a database that does not own the shard, or owned it earlier
     * @throws MoveRefusedException if a move of the shard is unfinished, or the database has no such copy
     */
    public void dropOldCopy(int shard, String database) {
        unfinished(shard).ifPresent(move -> {
            throw new MoveRefusedException(move + " is unfinished. Resume or abort it first; nothing was changed.");
        });
        held(shard, "The old copy of shard " + shard + " in " + database + " was not dropped", held -> {
            RetiredCopies.drop(held.lock(database), shard, database);
            return database;
        });
    }
}
