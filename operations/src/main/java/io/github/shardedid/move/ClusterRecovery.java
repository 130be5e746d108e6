package io.github.shardedid.move;

import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.MoveJournal.Unfinished;
import io.github.shardedid.move.internal.replication.ReplicationTrial;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Completes what was begun by processes that have died or stopped: moves, plans and provisioning.
 *
 * <ul>
 *   <li>Moves are resumed, or aborted if they cannot be resumed while no database serves the shard. A move that has stopped with a {@link
 *       Move#failure} is left alone unless its shard is fenced.
 *   <li>Plans are continued with the moves that have not ended.
 *   <li>Provisioning is completed as {@link Provisioner#completeAbandoned} describes.
 * </ul>
 *
 * <p>Looks for such work every {@value #LOOK_SECONDS} seconds, and every second while a shard is fenced. Of several instances, one
 * works on it. A database whose journal the current role does not own is left alone, which is logged once.
 *
 * <p>Holds a daemon thread, and one for each piece of work. Safe for use by several threads.
 */
public final class ClusterRecovery implements AutoCloseable {
    static final int LOOK_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ClusterRecovery.class);
    private static final Duration FENCE = Duration.ofSeconds(1);
    private static final long BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    private static final long BETWEEN_LOOKS_AT_A_FENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long CHECK_MILLIS = 250;

    /** Copies of large shards take hours. */
    private static final int MOST_UNFENCED = 2;

    private static final String MOVE = "move-";
    private static final String PROVISIONING = "provisioning";
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final long DENIED_PAUSE = TimeUnit.SECONDS.toNanos(30);

    /** Longer than others wait until a move counts as abandoned: after each attempt they wait for that time again. */
    private static final long LEFT_PAUSE = TimeUnit.SECONDS.toNanos(60);

    private final CurrentShardMap map;
    private final Map<String, DataSource> databases;
    private final Supplier<ShardMover> mover;
    private final @Nullable Provisioner provisioner;
    private final ScheduledExecutorService inspector =
            Executors.newSingleThreadScheduledExecutor(work -> Workers.thread("sharded-id-recovery", work));
    private final ExecutorService workers =
            Executors.newCachedThreadPool(work -> Workers.thread("sharded-id-recovery-work", work));

    /** The names of the work that is under way here. */
    private final Set<String> working = ConcurrentHashMap.newKeySet();

    private long looked = System.nanoTime() - BETWEEN_LOOKS;
    private final Inquiry<List<Work>> inquiry = Inquiry.pinned(ANSWER, this::find);

    /** The databases in which the current role may not move shards, and when that was seen. */
    private final Map<String, Long> denied = new ConcurrentHashMap<>();

    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** What does not go on by itself: of provisioning, and of the plans of each database. */
    private final Map<String, List<String>> problems = new ConcurrentHashMap<>();

    private final Map<String, Failure> failures = new ConcurrentHashMap<>();

    /** Why a work has failed. If it is for instances with other scripts, with the problem; and when this one has tried it. */
    private record Failure(String reason, @Nullable String problem, long at) {
        boolean isLeft() {
            return problem != null && System.nanoTime() - at < LEFT_PAUSE;
        }
    }

    /** A move or a plan on which no process works, with the move. */
    private record Work(String name, String title, @Nullable Unfinished move, Runnable run) {
        boolean isFenced() {
            return move != null && move.fenced();
        }
    }

    /**
     * Starts to look for all work.
     *
     * @param map the shard map, which should be kept up to date
     * @param databases the databases by name, to look for moves. They are not closed by this
     * @param mover supplies the mover, which may be created when it is needed first; called once for each work, by several threads
     * @param provisioner completes provisioning; null if this instance leaves it to others
     */
    public ClusterRecovery(
            CurrentShardMap map,
            Map<String, ? extends DataSource> databases,
            Supplier<ShardMover> mover,
            @Nullable Provisioner provisioner) {
        this.map = map;
        this.provisioner = provisioner;
        this.databases = Map.copyOf(databases);
        this.mover = mover;
        Future<?> unused =
                inspector.scheduleWithFixedDelay(this::look, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Returns what this instance has found and cannot complete, as of its last search.
     *
     * @return a text each, with what to do; empty if there is nothing
     */
    public List<String> problems() {
        return Stream.concat(
                        problems.values().stream().flatMap(List::stream),
                        failures.values().stream().map(Failure::problem).flatMap(Stream::ofNullable))
                .toList();
    }

    private void look() {
        try {
            long since = System.nanoTime() - looked;
            if (since >= BETWEEN_LOOKS
                    || (since >= BETWEEN_LOOKS_AT_A_FENCE
                            && !map.fencedShards(FENCE).isEmpty())) {
                looked = System.nanoTime();
                recoverAll();
            }
        } catch (RuntimeException | Error e) { // such as no more threads: the next look may have some
            LOG.warn("Could not search for abandoned work", e);
        }
    }

    private void recoverAll() {
        if (provisioner != null) {
            start(PROVISIONING, () -> problems.put(PROVISIONING, List.copyOf(provisioner.completeAbandoned())));
        }
        for (Work work : find()) {
            if (work.move == null || work.isFenced() || moves() < MOST_UNFENCED) {
                start(work.name, () -> recover(work));
            }
        }
    }

    private long moves() {
        return working.stream().filter(name -> name.startsWith(MOVE)).count();
    }

    /** Does nothing if the same work is under way here. */
    private void start(String name, Runnable work) {
        if (!working.add(name)) {
            return;
        }
        try {
            workers.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) {
                    LOG.warn("Could not complete abandoned work: {}", name, e);
                } finally {
                    working.remove(name);
                }
            });
        } catch (RuntimeException | Error e) {
            working.remove(name);
            throw e;
        }
    }

    /** Ends its threads. Work in progress stays unfinished; another instance completes it. */
    @Override
    public void close() {
        Workers.stop(inspector, workers);
    }

    /** Those to be completed now, the fenced ones first. A database that cannot be asked is asked again next time. */
    private List<Work> find() {
        Map<String, DataSource> asked = new TreeMap<>(databases);
        asked.keySet().removeAll(map.get().unreachableDatabases());
        denied.values().removeIf(since -> System.nanoTime() - since >= DENIED_PAUSE);
        asked.keySet().removeAll(denied.keySet());
        Inquiry.Answers<List<Work>> answers = inquiry.ask(asked);
        answers.unreachable()
                .forEach((name, why) -> LOG.debug("Database {} cannot be asked for its moves: {}", name, why));
        List<Work> found = new ArrayList<>();
        answers.results().values().forEach(found::addAll);
        if (answers.results().size() == databases.size()) {
            failures.keySet().retainAll(found.stream().map(Work::name).toList());
        }
        found.removeIf(work -> {
            Failure failure = failures.get(work.name);
            return (failure != null && failure.isLeft()) || (work.move != null && !isOurs(work.move.move()));
        });
        found.sort(Comparator.comparing(work -> !work.isFenced()));
        return found;
    }

    private List<Work> find(String name, Connection connection) throws SQLException {
        problems.put(name, MovePlans.problems(name, connection));
        List<Work> found = new ArrayList<>();
        if (StoredCluster.isOwned(connection, "move")) {
            ReplicationTrial.removeLeft(connection);
            for (Unfinished each : MoveJournal.abandoned(connection)) {
                Move move = each.move();
                found.add(new Work(MOVE + move.shard(), move.toString(), each, () -> complete(each)));
            }
            for (MovePlan plan : MovePlans.abandoned(name, connection)) {
                found.add(new Work("plan-" + plan.id(), plan.toString(), null, () -> mover.get()
                        .run(plan)));
            }
            return found;
        }
        denied.put(name, System.nanoTime());
        if (logged.add(name)) {
            LOG.info(
                    "Moves whose process has died are not completed by this instance in database {}: its role there is"
                            + " not a member of the role that owns the schema sharded_id",
                    name);
        }
        return found;
    }

    /** Not a move of a database that was restored from a backup, after other moves of the shard: somebody has to decide. */
    private boolean isOurs(Move move) {
        return MovePlans.isOf(map.get(), move)
                && databases.containsKey(move.source())
                && databases.containsKey(move.target())
                && !denied.containsKey(move.target());
    }

    /** The same failure is logged once, however often it is tried again. */
    private void recover(Work work) {
        try {
            LOG.info("{} was abandoned by its process, and is continued", work.title);
            work.run.run();
            failures.remove(work.name);
        } catch (RuntimeException e) {
            MoveRefusedException refused = e instanceof MoveRefusedException one ? one : null;
            String reason = FailureReason.of(e);
            String problem = refused == null || refused.reason() != Reason.UNKNOWN_SCRIPTS
                    ? null
                    : work.title + " was abandoned by its process, and this instance cannot continue it. " + reason
                            + " If there will be none, " + (work.move == null ? "stop" : "abort") + " it.";
            Failure before = failures.put(work.name, new Failure(reason, problem, System.nanoTime()));
            if (refused == null || problem != null) {
                LOG.atLevel(before != null && reason.equals(before.reason) ? Level.DEBUG : Level.WARN)
                        .log("{} could not be completed yet: {}", work.title, reason);
            }
        }
    }

    /** Resumes a move, or aborts it. */
    private void complete(Unfinished abandoned) {
        Move move = abandoned.move();
        if (move.step() == MoveStep.ABORTING) {
            mover.get().abort(move, null);
            return;
        }
        try {
            mover.get().resume(move);
        } catch (MoveRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            if (!abandoned.fenced()) {
                throw e;
            }
            // Attempted again and again while the target is down in the moment of the switch; the abort logs its
            // reason.
            mover.get()
                    .abort(move, "it could not be resumed while no database served the shard: " + FailureReason.of(e));
        }
    }
}
