package io.github.shardedid.hibernate.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.topology.ShardMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Asks the databases while Hibernate makes the rest of its session factory, which is not handed out before they have answered. All
 * problems are in one exception. If only one shard has been migrated so far, the others are, and are checked, once it has none.
 *
 * <p>The checks take as long as the slowest database, and Hibernate has work of its own meanwhile. A session
 * factory with problems never reaches the application. In detail:
 *
 * <ol>
 *   <li>Each check runs on a thread of its own, since a database that is down may let it wait for its connect
 *       timeout.
 *   <li>When Hibernate has created the session factory, all are waited for, and their problems are thrown.
 *   <li>If the checks were of the only migrated shard, and found nothing, the other shards are migrated, and then
 *       checked in the same way.
 * </ol>
 */
final class StartChecks implements SessionFactoryObserver {
    private final transient Supplier<List<Check>> checks;
    private final transient @Nullable CheckedStart start;
    /**
     * True if the checks begin with one migrated shard. It is kept, because the start says otherwise once it is
     * complete.
     */
    private final boolean ofOneShard;

    private final transient List<CompletableFuture<List<String>>> running;

    /** Returns problems, or throws them. */
    interface Check extends Supplier<List<String>> {}

    private StartChecks(Supplier<List<Check>> checks, @Nullable CheckedStart start) {
        this.checks = checks;
        this.start = start;
        this.ofOneShard = start != null && start.shard() != null;
        this.running = run();
    }

    /** Runs each check on a thread of its own. If one finds a problem, the creation of the session factory fails. */
    static void begin(SessionFactoryImplementor factory, Supplier<List<Check>> checks, @Nullable CheckedStart start) {
        factory.addObserver(new StartChecks(checks, start));
    }

    /**
     * Runs the checks now, because the mappings have problems.
     *
     * @throws ShardedIdMappingException always, with these problems and those that the checks find
     */
    static void refuse(List<String> problems, Supplier<List<Check>> checks, @Nullable CheckedStart start) {
        Set<String> all = new LinkedHashSet<>(problems);
        try {
            StartChecks started = new StartChecks(checks, start);
            all.addAll(problems(started.running));
        } catch (RuntimeException e) {
            all.add("The databases could not be compared with these mappings: " + e.getMessage());
        }
        requireNone(all, start);
    }

    /** Begins the checks, for those shards that are migrated at this time. */
    private List<CompletableFuture<List<String>>> run() {
        return checks.get().stream()
                .map(check -> CompletableFuture.supplyAsync(check, this::execute))
                .toList();
    }

    /**
     * Runs a check on a new daemon thread: the common pool may be busy with work of the application, and must
     * not be kept busy by waiting.
     */
    private void execute(Runnable check) {
        Thread thread = new Thread(start == null ? check : () -> start.check(check), "sharded-id-start-check");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits for the checks. Hibernate calls this method at the end of the creation of the session factory, which
     * fails if the method throws.
     */
    @Override
    public void sessionFactoryCreated(SessionFactory factory) {
        requireNone(problems(running), start);
        if (start != null && ofOneShard) {
            start.complete();
            requireNone(problems(run()), start);
        }
    }

    /** The failure of the start is suppressed in the exception of the problems: what to do about it depends on its class. */
    private static void requireNone(Set<String> problems, @Nullable CheckedStart start) {
        ShardedIdException failure = start == null ? null : start.failure();
        if (failure != null && problems.isEmpty()) {
            throw failure;
        } else if (!problems.isEmpty()) {
            if (failure != null) {
                failure.all().forEach(each -> problems.add(String.valueOf(each.getMessage())));
            }
            ShardedIdMappingException refused = new ShardedIdMappingException(List.copyOf(problems));
            if (failure != null) {
                refused.addSuppressed(failure);
            }
            throw refused;
        }
    }

    /**
     * Waits for checks, and returns their problems. A check that has failed matters only if there are none: its
     * failure may be due to one of them.
     */
    private static Set<String> problems(List<CompletableFuture<List<String>>> running) {
        Set<String> problems = new LinkedHashSet<>();
        List<RuntimeException> others = new ArrayList<>();
        for (CompletableFuture<List<String>> check : running) {
            try {
                problems.addAll(check.join());
            } catch (CompletionException e) {
                others.add(e.getCause() instanceof RuntimeException failure ? failure : e);
            }
        }
        if (problems.isEmpty() && !others.isEmpty()) {
            throw others.get(0);
        }
        return problems;
    }

    /**
     * Returns the shards to check, by database: without unowned ones, whose database is down; only the one that has been migrated, if
     * there is only one.
     */
    static Map<String, List<Integer>> shards(ShardMap map, @Nullable CheckedStart start) {
        Integer first = start == null ? null : start.shard();
        if (first != null) {
            return Map.of(map.databaseOf(first), List.of(first));
        }
        Set<Integer> unowned = Arrays.stream(map.unownedShards()).boxed().collect(Collectors.toSet());
        return IntStream.range(0, map.shardCount())
                .boxed()
                .filter(shard -> !unowned.contains(shard))
                .collect(Collectors.groupingBy(map::databaseOf, TreeMap::new, Collectors.toList()));
    }
}
