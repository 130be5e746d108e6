package io.github.shardedid.move;

import io.github.shardedid.move.internal.MoveOperations;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Moves shards between the databases of a cluster while the application runs. Safe for use by several threads; several
 * processes exclude each other per shard.
 *
 * <p>The users of the data sources must own the shards' schemas, be able to create schemas at the target, to replicate
 * ({@code REPLICATION}) at the source and to create subscriptions at the target (superuser, or since PostgreSQL 16 a member of
 * {@code pg_create_subscription}). Session-level advisory locks must work: no transaction pooling in between. A move holds up
 * to six connections.
 */
public final class ShardMover {
    private final MoveOperations moves;

    /**
     * A mover with {@link MoveOptions#DEFAULT}; no database is asked yet.
     *
     * @param definition what is configured of the cluster
     * @param databases the databases by the names of the definition
     * @param migrations the application's own scripts, which make the schema at the target
     * @throws IllegalArgumentException if the names are not those of the definition
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
        if (!definition.initialShards().keySet().equals(databases.keySet())) {
            throw new IllegalArgumentException("The cluster's databases are "
                    + definition.initialShards().keySet() + ", but there are data sources for " + databases.keySet()
                    + ".");
        }
        this.moves = new MoveOperations(definition, new TreeMap<>(databases), migrations, options);
    }

    /**
     * Looks whether a shard could be moved. Changes nothing.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return what is in the way, and what to do about it; empty if nothing is
     */
    public List<String> check(int shard, String target) {
        return moves.check(shard, target);
    }

    /**
     * Moves a shard, and returns when the target owns it and everything made for the move is removed. The old copy stays at
     * the source, fenced, until {@link #dropOldCopy} is called.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the move as its journal tells
     * @throws MoveRefusedException if anything is in the way; nothing was changed
     * @throws MoveMismatchException if the copies differ; the source keeps the shard
     * @throws MoveUnfinishedException if it stopped on the way
     */
    public Move move(int shard, String target) {
        return moves.move(shard, target, false);
    }

    /**
     * Moves a shard without logical replication: it is fenced first, and its rows are copied through this process then. Nobody
     * reads or writes the shard for as long as that takes.
     *
     * @param shard the logical shard
     * @param target the database that is to own it
     * @return the move as its journal tells
     * @throws MoveRefusedException if anything is in the way; nothing was changed
     * @throws MoveMismatchException if the copies differ; the source keeps the shard
     * @throws MoveUnfinishedException if it stopped on the way
     */
    public Move moveOffline(int shard, String target) {
        return moves.move(shard, target, true);
    }

    /**
     * Goes on with a move that was interrupted, from the step that its journal names.
     *
     * @param shard the logical shard
     * @return the move as its journal tells
     * @throws MoveRefusedException if no move of the shard is unfinished, or another process is at work on it
     * @throws MoveMismatchException if the copies differ
     * @throws MoveUnfinishedException if it stopped again
     */
    public Move resume(int shard) {
        return moves.resume(shard);
    }

    /**
     * Takes back a move that was interrupted: the source keeps the shard, and everything made for the move is removed. What
     * cannot be removed because the target cannot be reached is named in the move's {@link Move#failure}.
     *
     * @param shard the logical shard
     * @return the move as its journal tells
     * @throws MoveRefusedException if no move of the shard is unfinished, another process is at work on it, or the target owns
     *     the shard already
     * @throws MoveUnfinishedException if it stopped on the way; run it again
     */
    public Move abort(int shard) {
        return moves.abort(shard);
    }

    /**
     * All moves, those that have ended and those that have not.
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
     * @throws MoveRefusedException if a database cannot be reached, or there is nowhere to go
     */
    public MovePlan drain(String database) {
        return moves.drain(database);
    }

    /**
     * Plans the moves that make the databases even. Begins nothing.
     *
     * @param by what is to be even
     * @return the plan
     * @throws MoveRefusedException if a database cannot be reached
     */
    public MovePlan rebalance(Balance by) {
        return moves.rebalance(by);
    }

    /**
     * Runs the moves of a plan, some at once. One that fails keeps no other from running, but none is begun after it.
     *
     * @param plan what to move
     * @return the moves in the order of the plan
     * @throws io.github.shardedid.ShardedIdException the first failure, with the others suppressed in it, once those under way have ended
     */
    public List<Move> run(MovePlan plan) {
        return moves.run(plan, false);
    }

    /**
     * Runs the moves of a plan as {@link #moveOffline} does: each shard is fenced while its rows are copied. Otherwise as {@link
     * #run}.
     *
     * @param plan what to move
     * @return the moves in the order of the plan
     * @throws io.github.shardedid.ShardedIdException the first failure, with the others suppressed in it, once those under way have ended
     */
    public List<Move> runOffline(MovePlan plan) {
        return moves.run(plan, true);
    }

    /**
     * Says what each database has of a shard, with the rows counted, before {@link #recover}. Changes nothing.
     *
     * @param shard the logical shard
     * @return one per database, in the order of their names
     * @throws MoveRefusedException if a database cannot be asked, or another process is at work on a move of the shard
     */
    public List<ShardCopy> copies(int shard) {
        return moves.copies(shard);
    }

    /**
     * Makes the copy that a database has the shard, after a restore has left the shard without an owner; where the database owns
     * the shard, fences older copies in other databases. The generation is above all that were ever seen, the sequences are above
     * the ids of all copies, and no JVM gets a lease until the longest one has passed. Deletes nothing: rows that are only in
     * other copies, see {@link #copies}, stay there, fenced.
     *
     * @param shard the logical shard
     * @param database the database whose copy is to be the shard
     * @throws MoveRefusedException if a database cannot be reached, another one owns the shard, a move of it is unfinished, or
     *     the database has no complete copy; nothing was changed
     * @throws MoveUnfinishedException if it stopped on the way; run it again
     */
    public void recover(int shard, String database) {
        moves.recover(shard, database);
    }

    /**
     * Drops the fenced copies of a shard that moves have left in a database.
     *
     * @param shard the logical shard
     * @param database a database that does not own the shard, or owned it earlier
     * @throws MoveRefusedException if a move of the shard is unfinished, or the database has no such copy
     */
    public void dropOldCopy(int shard, String database) {
        moves.dropOldCopy(shard, database);
    }
}
