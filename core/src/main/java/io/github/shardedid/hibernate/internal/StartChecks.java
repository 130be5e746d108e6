package io.github.shardedid.hibernate.internal;

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

/**
 * Asks the databases while Hibernate makes the rest of its session factory, which is not handed out before they have answered. All
 * problems are in one exception.
 */
final class StartChecks implements SessionFactoryObserver {
    private final transient List<CompletableFuture<List<String>>> running;

    /** Returns problems, or throws them. */
    interface Check extends Supplier<List<String>> {}

    /** Runs each check on a thread of its own. If one finds a problem, the creation of the session factory fails. */
    StartChecks(List<Check> checks) {
        running = checks.stream()
                .map(check -> CompletableFuture.supplyAsync(check, StartChecks::execute))
                .toList();
    }

    /**
     * Runs the checks now, because the mappings have problems.
     *
     * @throws ShardedIdMappingException always, with these problems and those that the checks find
     */
    static void refuse(List<String> problems, Supplier<List<Check>> checks) {
        Set<String> all = new LinkedHashSet<>(problems);
        try {
            all.addAll(problems(new StartChecks(checks.get()).running));
        } catch (RuntimeException e) {
            all.add("The databases could not be compared with these mappings: " + e.getMessage());
        }
        throw new ShardedIdMappingException(List.copyOf(all));
    }

    private static void execute(Runnable check) {
        Thread thread = new Thread(check, "sharded-id-start-check");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void sessionFactoryCreated(SessionFactory factory) {
        Set<String> problems = problems(running);
        if (!problems.isEmpty()) {
            throw new ShardedIdMappingException(List.copyOf(problems));
        }
    }

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

    /** Returns the shards to check, by database: without unowned ones, whose database is down. */
    static Map<String, List<Integer>> shards(ShardMap map) {
        Set<Integer> unowned = Arrays.stream(map.unownedShards()).boxed().collect(Collectors.toSet());
        return IntStream.range(0, map.shardCount())
                .boxed()
                .filter(shard -> !unowned.contains(shard))
                .collect(Collectors.groupingBy(map::databaseOf, TreeMap::new, Collectors.toList()));
    }
}
