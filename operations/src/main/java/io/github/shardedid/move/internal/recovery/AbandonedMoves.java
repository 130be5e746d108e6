package io.github.shardedid.move.internal.recovery;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.move.internal.journal.Journal.Abandoned;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds moves on which no process works, and completes them. Safe for use by several threads. */
public final class AbandonedMoves {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedMoves.class);
    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(60);
    private static final long LONGEST_PAUSE_AT_A_FENCE = TimeUnit.SECONDS.toNanos(4);

    private final CurrentShardMap map;
    private final Map<String, DataSource> databases;
    private final Supplier<ShardMover> movers;
    private final Set<String> denied = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Failed> failures = new ConcurrentHashMap<>();
    private @Nullable ShardMover mover;

    /** A move that could not be completed yet. */
    private record Failed(String reason, long pause, long at) {}

    public AbandonedMoves(CurrentShardMap map, Map<String, DataSource> databases, Supplier<ShardMover> movers) {
        this.map = map;
        this.databases = databases;
        this.movers = movers;
    }

    /** Those to be completed now, the fenced ones first. A database that cannot be asked is asked again next time. */
    public List<Abandoned> find() {
        List<Abandoned> found = new ArrayList<>();
        databases.forEach((name, source) -> {
            if (!denied.contains(name) && !map.get().unreachableDatabases().contains(name)) {
                found.addAll(find(name, source));
            }
        });
        found.removeIf(each -> !isDue(each) || !isOurs(each.move()));
        found.sort(Comparator.comparing(each -> !each.fenced()));
        return found;
    }

    private List<Abandoned> find(String name, DataSource source) {
        try (Connection connection = source.getConnection()) {
            if (Journal.isWritable(connection)) {
                return Journal.abandoned(connection);
            }
            denied.add(name);
            LOG.info(
                    "Moves whose process has died are not completed by this instance in database {}: its role there is"
                            + " not a member of the role that owns the schema sharded_id",
                    name);
        } catch (SQLException e) {
            LOG.debug("Database {} cannot be asked for its moves", name, e);
        }
        return List.of();
    }

    private boolean isDue(Abandoned abandoned) {
        Failed failed = failures.get(abandoned.move().shard());
        long longest = abandoned.fenced() ? LONGEST_PAUSE_AT_A_FENCE : LONGEST_PAUSE;
        return failed == null || System.nanoTime() - failed.at >= Math.min(failed.pause, longest);
    }

    /** Not a move of a database that was restored from a backup, after other moves of the shard: somebody has to decide. */
    private boolean isOurs(Move move) {
        ShardMap now = map.get();
        long generation = now.generationOf(move.shard());
        boolean current = generation <= move.generation()
                || (generation == move.generation() + 1 && now.isServedBy(move.shard(), move.target()));
        return current
                && databases.containsKey(move.source())
                && databases.containsKey(move.target())
                && !denied.contains(move.target());
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
            failures.remove(move.shard());
            LOG.info("The move of shard {} is {}", move.shard(), ended.step());
        } catch (MoveRefusedException e) {
            note(move, e);
            LOG.debug("The move of shard {} is not completed here", move.shard(), e);
        } catch (RuntimeException e) {
            Failed before = note(move, e);
            if (before == null || !before.reason.equals(FailureReason.of(e))) {
                LOG.warn("The move of shard {} could not be completed yet: {}", move.shard(), FailureReason.of(e));
            }
        }
    }

    private Move complete(Move move) {
        if (move.step() == MoveStep.ABORTING) {
            return mover().abort(move.shard());
        }
        try {
            return mover().resume(move.shard());
        } catch (MoveRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            if (!isStillFenced(move)) {
                throw e;
            }
            LOG.warn(
                    "The move of shard {} cannot be resumed, and is aborted so that the shard is served again: {}",
                    move.shard(),
                    FailureReason.of(e));
            return mover().abort(move.shard());
        }
    }

    private boolean isStillFenced(Move move) {
        try (Connection connection =
                Objects.requireNonNull(databases.get(move.source())).getConnection()) {
            return Journal.isFenced(connection, move);
        } catch (SQLException e) {
            LOG.debug("Database {} cannot be asked for its moves", move.source(), e);
            return false;
        }
    }

    private @Nullable Failed note(Move move, RuntimeException e) {
        Failed before = failures.get(move.shard());
        long pause = before == null ? FIRST_PAUSE : Math.min(2 * before.pause, LONGEST_PAUSE);
        return failures.put(move.shard(), new Failed(FailureReason.of(e), pause, System.nanoTime()));
    }

    private synchronized ShardMover mover() {
        ShardMover known = mover;
        if (known == null) {
            known = movers.get();
            mover = known;
        }
        return known;
    }
}
