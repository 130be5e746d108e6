package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.move.internal.journal.Journal.Unfinished;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.topology.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Plans the moves that reach a goal, from the databases that own the shards now. */
public final class Planning {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final ClusterDefinition definition;
    private final Map<String, DataSource> databases;

    public Planning(ClusterDefinition definition, Map<String, DataSource> databases) {
        this.definition = definition;
        this.databases = databases;
    }

    /**
     * The moves that are left.
     *
     * @param moves those to be made, with those under way
     * @param underWay the unfinished moves of all shards
     */
    record Situation(List<PlannedMove> moves, Map<Integer, Unfinished> underWay) {}

    /** The moves that are left to reach a goal. */
    public List<PlannedMove> moves(MoveGoal goal) {
        return situation(goal, sizes()).moves;
    }

    /**
     * The same with what is under way.
     *
     * @throws DeferredMoveException if that cannot be known now
     */
    Situation situation(MoveGoal goal, Map<Integer, Long> sizes) {
        // First: a move that ends meanwhile is seen as under way, or at its end.
        Map<Integer, Unfinished> underWay = underWay();
        ShardMap map = new DatabaseShardMapSource(definition, databases).load();
        underWay.values().removeIf(each -> !isOf(map, each.move()));
        Map<Integer, String> targets = new HashMap<>();
        underWay.forEach((shard, each) -> targets.put(shard, each.move().target()));
        return new Situation(new MovePlanner(map, sizes, databases.keySet(), targets).moves(goal), underWay);
    }

    /** Not a move of a database that was restored from a backup, after other moves of the shard. */
    public static boolean isOf(ShardMap map, Move move) {
        long generation = map.generationOf(move.shard());
        return generation <= move.generation()
                || (generation == move.generation() + 1 && map.isServedBy(move.shard(), move.target()));
    }

    private Map<Integer, Unfinished> underWay() {
        Inquiry.Answers<List<Unfinished>> answers = Inquiry.pinned(
                        WAIT, (name, connection) -> Journal.unfinished(connection))
                .ask(databases);
        if (!answers.unreachable().isEmpty()) {
            throw new DeferredMoveException("The unfinished moves of these databases are not known: "
                    + answers.unreachable() + ". Nothing was changed.");
        }
        Map<Integer, Unfinished> underWay = new TreeMap<>();
        answers.results().values().stream()
                .flatMap(Collection::stream)
                .forEach(each -> underWay.put(each.move().shard(), each));
        return underWay;
    }

    /** Of all shards. What is left behind of shards that have moved does not count: the newest answer is as good. */
    Map<Integer, Long> sizes() {
        Map<Integer, Long> sizes = new HashMap<>();
        databases.forEach((name, data) -> {
            try (Connection connection = data.getConnection()) {
                ShardSizes.of(connection).forEach((shard, bytes) -> sizes.merge(shard, bytes, Math::max));
            } catch (SQLException e) {
                throw new DeferredMoveException("Database " + name + " cannot be asked for the sizes of its shards: "
                        + FailureReason.of(e) + ".");
            }
        });
        return sizes;
    }
}
