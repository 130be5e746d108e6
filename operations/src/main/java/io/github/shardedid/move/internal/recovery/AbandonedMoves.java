package io.github.shardedid.move.internal.recovery;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.UnknownScriptsException;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.move.internal.journal.Journal.Abandoned;
import io.github.shardedid.move.internal.plan.PlanJournal;
import io.github.shardedid.move.internal.plan.Planning;
import io.github.shardedid.move.internal.replication.ReplicationReach;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Finds moves and plans on which no process works, by one thread, and completes them, by any. */
public final class AbandonedMoves {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedMoves.class);
    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(60);
    private static final long DENIED_PAUSE = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_PAUSE_AT_A_FENCE = TimeUnit.SECONDS.toNanos(4);

    private final CurrentShardMap map;
    private final Map<String, DataSource> databases;
    private final Supplier<Completion> movers;
    private final Inquiry<Found> inquiry = Inquiry.pinned(WAIT, this::find);

    /** When a role was seen that may not move shards. */
    private final Map<String, Long> denied = new ConcurrentHashMap<>();

    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final Map<Object, Failed> failures = new ConcurrentHashMap<>();

    private final Map<String, List<String>> planProblems = new ConcurrentHashMap<>();

    /** What is left to instances with other scripts. */
    private final Map<Object, String> leftToOthers = new ConcurrentHashMap<>();

    private @Nullable Completion mover;

    /** Moves and plans on which no process works. */
    public record Found(List<Abandoned> moves, List<RecordedPlan> plans) {
        static Found nothing() {
            return new Found(new ArrayList<>(), new ArrayList<>());
        }
    }

    /** What a mover does with a move that was found. Asks only the databases of the move: others may be silent. */
    public interface Completion {
        Move resume(Move move);

        Move abort(Move move, @Nullable String reason);

        List<Move> run(RecordedPlan plan);
    }

    /** A move or plan that could not be completed yet. */
    private record Failed(String reason, long pause, long at) {}

    public AbandonedMoves(CurrentShardMap map, Map<String, DataSource> databases, Supplier<Completion> movers) {
        this.map = map;
        this.databases = databases;
        this.movers = movers;
    }

    /** Those to be completed now, the fenced ones first. A database that cannot be asked is asked again next time. */
    public Found find() {
        Map<String, DataSource> asked = new TreeMap<>(databases);
        denied.values().removeIf(since -> System.nanoTime() - since >= DENIED_PAUSE);
        asked.keySet().removeAll(denied.keySet());
        asked.keySet().removeAll(map.get().unreachableDatabases());
        Inquiry.Answers<Found> answers = inquiry.ask(asked);
        answers.unreachable()
                .forEach((name, why) -> LOG.debug("Database {} cannot be asked for its moves: {}", name, why));
        Found found = Found.nothing();
        answers.results().values().forEach(each -> {
            found.moves.addAll(each.moves);
            found.plans.addAll(each.plans);
        });
        if (answers.results().size() == databases.size()) {
            failures.keySet().retainAll(keys(found));
            leftToOthers.keySet().retainAll(keys(found));
        }
        found.moves.removeIf(each -> !isDue(each.move().id(), each.fenced()) || !isOurs(each.move()));
        found.moves.sort(Comparator.comparing(each -> !each.fenced()));
        found.plans.removeIf(each -> !isDue(each.id(), false));
        return found;
    }

    private static Set<Object> keys(Found found) {
        Set<Object> keys = new HashSet<>();
        found.moves.forEach(each -> keys.add(each.move().id()));
        found.plans.forEach(each -> keys.add(each.id()));
        return keys;
    }

    private Found find(String name, Connection connection) throws SQLException {
        planProblems.put(name, PlanJournal.problems(name, connection));
        if (Journal.isWritable(connection)) {
            LeftFences.remove(name, connection);
            ReplicationReach.removeLeft(connection);
            return new Found(Journal.abandoned(connection), PlanJournal.abandoned(name, connection));
        }
        denied.put(name, System.nanoTime());
        if (logged.add(name)) {
            LOG.info(
                    "Moves whose process has died are not completed by this instance in database {}: its role there is"
                            + " not a member of the role that owns the schema sharded_id",
                    name);
        }
        return Found.nothing();
    }

    private boolean isDue(Object key, boolean fenced) {
        Failed failed = failures.get(key);
        long longest = fenced ? LONGEST_PAUSE_AT_A_FENCE : LONGEST_PAUSE;
        return failed == null || System.nanoTime() - failed.at >= Math.min(failed.pause, longest);
    }

    /** Not a move of a database that was restored from a backup, after other moves of the shard: somebody has to decide. */
    private boolean isOurs(Move move) {
        return Planning.isOf(map.get(), move)
                && databases.containsKey(move.source())
                && databases.containsKey(move.target())
                && !denied.containsKey(move.target());
    }

    /** Resumes a move, or aborts it. */
    public void recover(Abandoned abandoned) {
        Move move = abandoned.move();
        try {
            LOG.info(
                    "The move of shard {} from {} to {} has no process any more, and goes on here: {}",
                    move.shard(),
                    move.source(),
                    move.target(),
                    move.step());
            Move ended = complete(move);
            failures.remove(move.id());
            leftToOthers.remove(move.id());
            LOG.info("The move of shard {} is {}", move.shard(), ended.step());
        } catch (UnknownScriptsException e) {
            note(move.id(), e);
            leave(
                    move.id(),
                    "The move of shard " + move.shard() + " from " + move.source() + " to " + move.target()
                            + " has no process any more, and this instance cannot continue it. " + e.getMessage()
                            + " If there will be none, abort it: --sharded-id.abort-move=" + move.shard());
        } catch (MoveRefusedException e) {
            note(move.id(), e);
            LOG.debug("The move of shard {} is not completed here", move.shard(), e);
        } catch (RuntimeException e) {
            Failed before = note(move.id(), e);
            if (before == null || !before.reason.equals(FailureReason.of(e))) {
                LOG.warn("The move of shard {} could not be completed yet: {}", move.shard(), FailureReason.of(e));
            }
        }
    }

    private void leave(Object key, String problem) {
        if (leftToOthers.put(key, problem) == null) {
            LOG.info("{}", problem);
        }
    }

    /** What this instance has found and cannot complete, a text each with what to do. */
    public List<String> problems() {
        return Stream.concat(
                        leftToOthers.values().stream(),
                        planProblems.values().stream().flatMap(List::stream))
                .toList();
    }

    /** Continues a plan. */
    public void recover(RecordedPlan plan) {
        try {
            LOG.info(
                    "Plan {} ({}) has no process any more, and goes on here: {} moves of {} have ended",
                    plan.id(),
                    plan.goal(),
                    plan.done(),
                    plan.total());
            mover().run(plan);
            failures.remove(plan.id());
            leftToOthers.remove(plan.id());
        } catch (UnknownScriptsException e) {
            note(plan.id(), e);
            leave(
                    plan.id(),
                    "Plan " + plan.id() + " (" + plan.goal()
                            + ") has no process any more, and this instance cannot continue it. " + e.getMessage()
                            + " If there will be none, stop it: --sharded-id.stop-plan=" + plan.id());
        } catch (MoveRefusedException e) {
            note(plan.id(), e);
            LOG.debug("Plan {} is not continued here", plan.id(), e);
        } catch (RuntimeException e) {
            note(plan.id(), e);
            LOG.warn("Plan {} has stopped: {}", plan.id(), FailureReason.of(e));
        }
    }

    private Move complete(Move move) {
        if (move.step() == MoveStep.ABORTING) {
            return mover().abort(move, null);
        }
        try {
            return mover().resume(move);
        } catch (MoveRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            if (!isStillFenced(move)) {
                throw e;
            }
            // Attempted again and again while the target is down in the moment of the switch.
            LOG.atLevel(failures.containsKey(move.id()) ? Level.DEBUG : Level.WARN)
                    .log(
                            "The move of shard {} cannot be resumed, and is aborted so that the shard is served again:"
                                    + " {}",
                            move.shard(),
                            FailureReason.of(e));
            return mover().abort(
                            move, "it could not be resumed while no database served the shard: " + FailureReason.of(e));
        }
    }

    private boolean isStillFenced(Move move) {
        try (Connection connection =
                Objects.requireNonNull(databases.get(move.source())).getConnection()) {
            return Journal.isFenced(connection, move);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("Database {} cannot be asked for its moves", move.source(), e);
            return false;
        }
    }

    private @Nullable Failed note(Object key, RuntimeException e) {
        Failed before = failures.get(key);
        long pause = before == null ? FIRST_PAUSE : Math.min(2 * before.pause, LONGEST_PAUSE);
        return failures.put(key, new Failed(FailureReason.of(e), pause, System.nanoTime()));
    }

    private synchronized Completion mover() {
        Completion known = mover;
        if (known == null) {
            known = movers.get();
            mover = known;
        }
        return known;
    }
}
