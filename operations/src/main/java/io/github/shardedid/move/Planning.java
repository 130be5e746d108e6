package io.github.shardedid.move;

import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.MoveJournal.Unfinished;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.Sql;
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
final class Planning {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final String SIZES = "SELECT pg_catalog.substr(n.nspname::pg_catalog.text, 7)::int AS shard,"
            + " coalesce(pg_catalog.sum(pg_catalog.pg_total_relation_size(c.oid)), 0) AS bytes FROM"
            + " pg_catalog.pg_namespace n LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'm', 'S')"
            + " WHERE n.nspname OPERATOR(pg_catalog.~) '^shard_[0-9]{4,9}$' GROUP BY 1";

    private final ClusterDefinition definition;
    private final Map<String, DataSource> databases;

    Planning(ClusterDefinition definition, Map<String, DataSource> databases) {
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
    List<PlannedMove> moves(MoveGoal goal) {
        return situation(goal, sizes()).moves;
    }

    /**
     * The same with what is under way.
     *
     * @throws MoveRefusedException if that cannot be known now
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
    static boolean isOf(ShardMap map, Move move) {
        long generation = map.generationOf(move.shard());
        return generation <= move.generation()
                || (generation == move.generation() + 1 && map.isServedBy(move.shard(), move.target()));
    }

    private Map<Integer, Unfinished> underWay() {
        Inquiry.Answers<List<Unfinished>> answers = Inquiry.pinned(
                        WAIT, (name, connection) -> MoveJournal.unfinished(connection))
                .ask(databases);
        if (!answers.unreachable().isEmpty()) {
            throw new MoveRefusedException(
                    Reason.DEFERRED,
                    "The unfinished moves of these databases are not known: " + answers.unreachable()
                            + ". Nothing was changed.");
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
                sizes(connection).forEach((shard, bytes) -> sizes.merge(shard, bytes, Math::max));
            } catch (SQLException e) {
                throw new MoveRefusedException(
                        Reason.DEFERRED,
                        "Database " + name + " cannot be asked for the sizes of its shards: " + FailureReason.of(e)
                                + ".");
            }
        });
        return sizes;
    }

    /**
     * Asks a database once.
     *
     * @return of each shard whose schema is there, the bytes of its tables with their indexes and large values
     */
    static Map<Integer, Long> sizes(Connection connection) throws SQLException {
        return Sql.map(connection, SIZES, row -> Map.entry(row.getInt("shard"), row.getLong("bytes")));
    }
}
