package io.github.shardedid.move;

import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MovePlan.State;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.MoveJournal.Unfinished;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.topology.ShardMap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The plans in {@code sharded_id.standing_order} of the databases, and what is left of them. One runs at a time. */
record MovePlans(ClusterDefinition definition, Map<String, DataSource> databases) {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final String ALL = "SELECT * FROM sharded_id.standing_order";

    /**
     * Not one that has just begun: its process may be about to take the lock. Nor one that has not changed for a day, as in a
     * database that was restored from a backup: the cluster is no longer the one that was planned for.
     */
    private static final String ABANDONED = Sql.load(MovePlans.class, "abandoned_plans.sql");

    /** The last one, if it has failed; and those that have not changed for a day. */
    private static final String STOPPED = Sql.load(MovePlans.class, "stopped_plans.sql");

    private static final String READABLE = Sql.load(MovePlans.class, "plans_readable.sql");

    private static final String TIDY = Sql.load(MovePlans.class, "tidy_plans.sql");
    private static final String BEGIN = Sql.load(MovePlans.class, "begin_plan.sql");
    private static final String PROGRESS = Sql.load(MovePlans.class, "plan_progress.sql");
    private static final String END = Sql.load(MovePlans.class, "end_plan.sql");
    private static final String STOP = Sql.load(MovePlans.class, "stop_plan.sql");
    private static final String SIZES = Sql.load(MovePlans.class, "shard_sizes.sql");

    /**
     * The moves that are left.
     *
     * @param moves those to be made, with those under way
     * @param underWay the unfinished moves of all shards
     */
    record Situation(List<PlannedMove> moves, Map<Integer, Unfinished> underWay) {}

    /** What is left to reach a goal. Throws if that cannot be known now. */
    Situation situation(MoveGoal goal, Map<Integer, Long> sizes) {
        // First: a move that ends meanwhile is seen as under way, or at its end.
        Map<Integer, Unfinished> underWay = new TreeMap<>();
        ask((name, connection) -> MoveJournal.unfinished(connection))
                .forEach(all -> all.forEach(each -> underWay.put(each.move().shard(), each)));
        ShardMap map = new DatabaseShardMapSource(definition, databases).load();
        underWay.values().removeIf(each -> !isOf(map, each.move()));
        Map<Integer, String> targets = new HashMap<>();
        underWay.forEach((shard, each) -> targets.put(shard, each.move().target()));
        return new Situation(
                new MovePlanner(map, sizes, new TreeSet<>(databases.keySet()), targets).moves(goal), underWay);
    }

    /** The sizes of all shards: of one with an old copy, the larger one. */
    Map<Integer, Long> sizes() {
        Map<Integer, Long> sizes = new HashMap<>();
        ask((name, connection) -> sizes(connection))
                .forEach(each -> each.forEach((shard, bytes) -> sizes.merge(shard, bytes, Math::max)));
        return sizes;
    }

    private <T> Iterable<T> ask(Inquiry.Question<T> question) {
        Inquiry.Answers<T> answers = Inquiry.pinned(WAIT, question).ask(databases);
        if (!answers.unreachable().isEmpty()) {
            throw new MoveRefusedException(
                    Reason.DEFERRED,
                    "Nothing is planned while databases do not answer: " + answers.unreachable()
                            + ". Nothing was changed.");
        }
        return answers.results().values();
    }

    /** Of each shard whose schema is there, the bytes of its tables with their indexes and large values. */
    static Map<Integer, Long> sizes(Connection connection) throws SQLException {
        return Sql.map(connection, SIZES, row -> Map.entry(row.getInt("shard"), row.getLong("bytes")));
    }

    /** Not a move of a database that was restored from a backup, after other moves of the shard. */
    static boolean isOf(ShardMap map, Move move) {
        long generation = map.generationOf(move.shard());
        return generation <= move.generation()
                || (generation == move.generation() + 1 && map.isServedBy(move.shard(), move.target()));
    }

    /** Two plans would undo each other's moves. Also forgets plans that have ended a week ago. */
    MovePlan begin(MoveGoal goal, boolean offline) {
        int total = situation(goal, sizes()).moves().size();
        if (total == 0) {
            throw new MoveRefusedException("There is nothing to move: " + goal + ".");
        }
        String database = new TreeSet<>(databases.keySet()).first();
        return in(database, (name, connection) -> {
                    Sql.execute(connection, TIDY);
                    for (MovePlan other : all()) {
                        if (other.state() == State.RUNNING) {
                            throw new MoveRefusedException(
                                    other + " is running. Wait for its end, or stop it. Nothing was changed.");
                        }
                    }
                    return Sql.query(
                            connection,
                            BEGIN,
                            row -> of(database, row),
                            goal.kind().name(),
                            goal.subject(),
                            goal.target(),
                            offline,
                            total);
                })
                .get(0);
    }

    /** The plans of the databases that can be asked, newest first. */
    List<MovePlan> all() {
        List<MovePlan> plans = new ArrayList<>();
        Inquiry<List<MovePlan>> inquiry = Inquiry.pinned(WAIT, (name, connection) -> read(name, connection, ALL));
        inquiry.ask(databases).results().values().forEach(plans::addAll);
        plans.sort(Comparator.comparing(MovePlan::started).reversed());
        return plans;
    }

    /** The plans whose processes have died. */
    static List<MovePlan> abandoned(String database, Connection connection) throws SQLException {
        return withoutProcess(database, connection, ABANDONED);
    }

    private static List<MovePlan> withoutProcess(String database, Connection connection, String sql)
            throws SQLException {
        List<MovePlan> found = new ArrayList<>();
        for (MovePlan each : read(database, connection, sql)) {
            if (SessionLock.holder(connection, SessionLock.ofPlan(numberOf(each.id()))) == null) {
                found.add(each);
            }
        }
        return found;
    }

    /** None if the role may not read them. */
    private static List<MovePlan> read(String database, Connection connection, String sql) throws SQLException {
        return Sql.is(connection, READABLE) ? Sql.query(connection, sql, row -> of(database, row)) : List.of();
    }

    /** The plans that do not go on by themselves, a text each with what to do. */
    static List<String> problems(String database, Connection connection) throws SQLException {
        return withoutProcess(database, connection, STOPPED).stream()
                .map(plan -> plan
                        + (plan.failure() == null
                                ? " has not changed since " + plan.changed() + ", and may be of a backup."
                                : " has failed: " + plan.failure() + " Remove the cause.")
                        + " Begin it again if it is still wanted, and stop this one.")
                .toList();
    }

    /** Records how many moves are left, and now and then that the plan is being worked on; returns whether it still runs. */
    static boolean isRunning(Connection connection, String id, int left) throws SQLException {
        Sql.update(connection, PROGRESS, left, numberOf(id));
        return Sql.is(
                connection, "SELECT state = 'RUNNING' FROM sharded_id.standing_order WHERE number = ?", numberOf(id));
    }

    /** Ends a plan that runs. */
    static void end(Connection connection, String id, State state, @Nullable String failure) throws SQLException {
        Sql.update(connection, END, state.name(), failure, numberOf(id));
    }

    /** Stops a plan that runs or has failed. */
    MovePlan stop(String id) {
        return in(
                        databaseOf(id),
                        (name, connection) -> Sql.query(connection, STOP, row -> of(databaseOf(id), row), numberOf(id)))
                .stream()
                .findFirst()
                .orElseThrow(() -> new MoveRefusedException(
                        "There is no such plan as " + id + " that is running or has failed. Nothing was changed."));
    }

    private List<MovePlan> in(String database, Inquiry.Question<List<MovePlan>> work) {
        try (Connection connection = HeldConnections.data(databases, database).getConnection()) {
            return Transaction.read(connection, () -> work.ask(database, connection));
        } catch (SQLException e) {
            throw new MoveRefusedException("The plans in database " + database + " cannot be written: "
                    + FailureReason.of(e) + ". Nothing was changed.");
        }
    }

    /** Connections with the lock of a plan. */
    HeldConnections held(MovePlan plan) {
        return new HeldConnections(databases, SessionLock.ofPlan(numberOf(plan.id())), plan.toString());
    }

    static String databaseOf(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf('-')));
    }

    static int numberOf(String id) {
        try {
            return Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
        } catch (NumberFormatException e) {
            throw new MoveRefusedException("There is no plan " + id + ". Ids are like pg1-3.");
        }
    }

    private static MovePlan of(String database, ResultSet row) throws SQLException {
        MoveGoal.Kind kind = MoveGoal.Kind.valueOf(row.getString("kind"));
        return new MovePlan(
                database + "-" + row.getInt("number"),
                new MoveGoal(kind, row.getString("subject"), row.getString("target")),
                row.getBoolean("offline"),
                row.getInt("total"),
                row.getInt("done"),
                State.valueOf(row.getString("state")),
                MoveJournal.instant(row, "started"),
                MoveJournal.instant(row, "changed"),
                row.getString("failure"));
    }
}
