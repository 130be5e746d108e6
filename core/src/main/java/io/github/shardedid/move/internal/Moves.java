package io.github.shardedid.move.internal;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** What a mover of shards is asked for. */
@SuppressWarnings("DoNotCallSuggester")
public final class Moves {
    /** A mover's. */
    public Moves(
            ClusterDefinition definition,
            Map<String, DataSource> databases,
            ShardMigrations migrations,
            MoveOptions options) {}
    /** See ShardMover. */
    public List<String> check(int shard, String target) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public Move move(int shard, String target, boolean offline) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public Move resume(int shard) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public Move abort(int shard) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public List<Move> all() {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public MovePlan drain(String database) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public MovePlan rebalance(Balance by) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public List<Move> run(MovePlan plan) {
        throw new UnsupportedOperationException();
    }
    /** See ShardMover. */
    public void dropOldCopy(int shard, String database) {
        throw new UnsupportedOperationException();
    }
}
