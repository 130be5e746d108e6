package io.github.shardedid.move;

import io.github.shardedid.move.internal.MoveOperations;
import io.github.shardedid.move.internal.recovery.AbandonedMoves;
import io.github.shardedid.operations.internal.DatabaseNames;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Moves shards between the databases of a cluster while the application runs. Safe for use by several threads; processes exclude
 * each other per shard.
 *
 * <p>The users of the data sources must own the schemas of the shards, be able to create schemas at the target, to replicate at the
 * source and to create subscriptions at the target, unless {@linkplain #moveOffline offline}; {@link #check} says what is missing.
 * Session-level advisory locks must work: no transaction pooling in between. A move uses up to six connections.
 */
public final class ShardMover {
    private final MoveOperations moves;

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
        this.moves = new MoveOperations(definition, new TreeMap<>(databases), migrations, options);
    }

    AbandonedMoves.Completion completion() {
        return moves;
    }

    /**
     * Checks whether a shard could be moved. Changes nothing.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the obstacles, with what to do
     */
    public List<String> check(int shard, String target) {
        return moves.check(shard, target);
    }

    /**
     * Moves a shard. Returns when the target owns it and everything created for the move is removed. The old copy stays at
     * the source, fenced, until {@link #dropOldCopy} is called.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the move as recorded in its journal
     * @throws MoveRefusedException if there is an obstacle; nothing was changed
     * @throws MoveMismatchException if the copies differ; the source keeps the shard
     * @throws MoveUnfinishedException if it stopped before its end
     */
    public Move move(int shard, String target) {
        return moves.move(shard, target, false);
    }

    /**
     * Moves a shard without logical replication: it is fenced first, then its rows are copied through this process. It cannot be
     * read or written until the move has ended.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the move as recorded in its journal
     * @throws MoveRefusedException if there is an obstacle; nothing was changed
     * @throws MoveMismatchException if the copies differ; the source keeps the shard
     * @throws MoveUnfinishedException if it stopped before its end
     */
    public Move moveOffline(int shard, String target) {
        return moves.move(shard, target, true);
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
        return moves.resume(shard);
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
        return moves.abort(shard);
    }

    /**
     * All moves, ended and unfinished.
     *
     * @return the journals of all databases that can be reached, newest first
     */
    public List<Move> moves() {
        return moves.all();
    }

    /**
     * Plans the moves that leave a database without shards. Begins nothing.
     *
     * @param database the database to be emptied
     * @return the plan
     * @throws MoveRefusedException if a database cannot be reached, or there is no other database
     */
    public MovePlan drain(String database) {
        return plan(MoveGoal.drain(database));
    }

    /**
     * Plans the moves that balance the databases. Begins nothing.
     *
     * @param by what is balanced
     * @return the plan
     * @throws MoveRefusedException if a database cannot be reached
     */
    public MovePlan rebalance(Balance by) {
        return plan(MoveGoal.rebalance(by));
    }

    /**
     * Plans the moves that reach a goal. Begins nothing.
     *
     * @param goal what is to be reached
     * @return the plan
     * @throws MoveRefusedException if a database cannot be reached, or the goal names one that does not exist
     */
    public MovePlan plan(MoveGoal goal) {
        return moves.plans().plan(goal);
    }

    /**
     * Reaches the goal of a plan, by several moves at once. They are planned again after each move, from where the shards are then. After a
     * failure no further one begins; those that run are not affected. If this process stops before the end, or does not know the scripts
     * of a shard, another one with a {@link ClusterRecovery} continues the plan.
     *
     * @param plan what to move
     * @return the moves that were made, in the order in which they began
     * @throws MoveRefusedException if another plan contradicts it: one that balances databases, too, or has the same shard
     * @throws UnknownScriptsException if this process does not know the scripts of a shard
     * @throws io.github.shardedid.ShardedIdException the first failure, with the others suppressed in it, once those under way have ended
     */
    public List<Move> run(MovePlan plan) {
        return plan.moves().isEmpty() ? List.of() : run(begin(plan, false));
    }

    /**
     * Records a plan, and runs nothing. {@link #run(RecordedPlan)} runs it, or any process with a {@link ClusterRecovery}.
     *
     * @param plan what to move
     * @param offline whether to move as {@link #moveOffline} does
     * @return the plan as recorded
     * @throws MoveRefusedException if another plan contradicts it, or the plan cannot be recorded
     */
    public RecordedPlan begin(MovePlan plan, boolean offline) {
        return moves.plans().begin(plan, offline);
    }

    /**
     * Runs a plan that was begun, or continues it. Returns at once if it has ended.
     *
     * @param plan as {@link #begin} or {@link #plans} has returned it
     * @return the moves that were made, in the order in which they began
     * @throws MoveRefusedException if another process runs it
     * @throws io.github.shardedid.ShardedIdException as {@link #run(MovePlan)} does
     */
    public List<Move> run(RecordedPlan plan) {
        return moves.plans().run(plan);
    }

    /**
     * Plans that were begun. Those that have ended are forgotten after a week.
     *
     * @return the plans of all databases that can be reached, newest first
     */
    public List<RecordedPlan> plans() {
        return moves.plans().all();
    }

    /**
     * Stops a plan for good: no further move of it begins, in any process. Moves that are under way are not affected. One that has failed
     * is no longer reported.
     *
     * @param id such as {@code pg1-3}
     * @return the plan as recorded
     * @throws MoveRefusedException if it has ended, or its journal cannot be reached
     */
    public RecordedPlan stopPlan(String id) {
        return moves.plans().stop(id);
    }

    /**
     * Reports the copies of a shard in all databases, with their numbers of rows, before {@link #recover}. Changes nothing.
     *
     * @param shard the logical shard
     * @return one per database, in the order of their names
     * @throws MoveRefusedException if a database cannot be asked, or another process works on a move of the shard
     */
    public List<ShardCopy> copies(int shard) {
        return moves.copies(shard);
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
        moves.recover(shard, database);
    }

    /**
     * Replaces all rows of a shard by those of a backup that was restored to a server beside the cluster. The shard stays in its
     * database. It is fenced meanwhile, and its rows change by one commit, with the generation. The sequences are above all ids of
     * both. The replaced rows stay in schema {@code shard_0017_replaced_3}, of shard 17 and the generation of the replaced rows, until
     * {@link #dropOldCopy}. The migrations run in the backup first.
     *
     * @param shard the logical shard
     * @param backup the restored database, in which the shard must have been served at the time of the backup. It belongs to this
     *     cluster, but is not one of its databases. It is not closed
     * @throws MoveRefusedException if a database cannot be reached, a move of the shard is unfinished, the backup is not a copy of
     *     such a database, its tables differ after the migrations, or copying fails; the rows of the shard are as before
     * @throws MoveUnfinishedException if the shard may be fenced, since its connection was lost; run it again
     */
    public void restore(int shard, DataSource backup) {
        moves.restore(shard, backup);
    }

    /**
     * Drops the fenced copies of a shard that moves have left in a database, rows that {@link #restore} has replaced, and what the
     * journals record of these moves.
     *
     * @param shard the logical shard
     * @param database a database that does not own the shard, or owned it earlier
     * @throws MoveRefusedException if a move of the shard is unfinished, or the database has no such copy
     */
    public void dropOldCopy(int shard, String database) {
        moves.dropOldCopy(shard, database);
    }

    /**
     * Drops the old copies of several shards as {@link #dropOldCopy} does: all of them, or none if one of them cannot be dropped. If it
     * stops in between, because a connection is lost, run it again for those that are left.
     *
     * @param shards the logical shards
     * @param database a database that does not own them, or owned them earlier
     * @throws MoveRefusedException naming all shards with an unfinished move or without such a copy; nothing was changed
     */
    public void dropOldCopies(ShardRanges shards, String database) {
        List<String> obstacles = moves.obstaclesToDrop(shards, database);
        if (!obstacles.isEmpty()) {
            throw new MoveRefusedException(String.join(" ", obstacles) + " Nothing was changed.");
        }
        shards.shards().forEach(shard -> moves.dropOldCopy(shard, database));
    }
}
