package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes compete for names that are unique over all shards, while they, their sessions and the servers are hit, and a shard goes back and forth.
 * What is asserted is said in {@link LoginsOracle}; and that each process goes on, and each name that no row has can be had.
 */
@Tag("attack")
@Tag("embedded-only")
class UniqueValuesAttackIntegrationTests {
    private static final int PROCESSES = Integer.getInteger("sharded-id.test.attack-processes", 4);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int STEPS = 40;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    private final Random random = new Random(AttackSettings.seed());
    private final BankCluster cluster = new BankCluster("classpath:db/logins");
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private CompletableFuture<?> move = CompletableFuture.completedFuture(null);
    private boolean away;
    private int started;

    @Test
    void noTwoRowsEverHaveOneName() throws SQLException {
        Path directory = AttackSettings.directoryIn(evidence);
        try {
            IntStream.range(0, PROCESSES).forEach(i -> start(directory));
            awaitProgress(directory);
            long end = System.nanoTime() + AttackSettings.duration(30).toNanos();
            do {
                hit(directory);
            } while (System.nanoTime() - end < 0);
            move.join();
            awaitProgress(directory);
            workers.forEach(WorkerProcess::end);
            workers.forEach(WorkerProcess::join);
            LoginsOracle oracle = new LoginsOracle(cluster);
            List<String> faults = oracle.judge();
            System.err.println("Unique values: " + counts + ", committed changes " + oracle.events() + ", names taken "
                    + oracle.taken().size() + ", faults " + faults.size());
            assertThat(faults).isEmpty();
            assertThat(failures(directory)).isEmpty();
            takeTheRest(oracle.taken());
            LoginsOracle after = new LoginsOracle(cluster);
            assertThat(after.judge()).isEmpty();
            assertThat(after.taken()).hasSize(LoginsSession.NAMES);
        } finally {
            workers.forEach(WorkerProcess::kill);
            cluster.close();
        }
    }

    private void start(Path directory) {
        int number = started++;
        numbers.add(number);
        workers.add(WorkerProcess.start(LoginsWorker.class, cluster.options(directory, number, random.nextLong())));
    }

    /** Until each process has committed some more, whatever others have left behind. */
    private void awaitProgress(Path directory) {
        Map<Integer, Long> before = new TreeMap<>();
        numbers.forEach(number -> before.put(number, committed(directory, number)));
        before.forEach((number, lines) -> Awaitility.await("process " + number)
                .timeout(PATIENCE)
                .until(() -> committed(directory, number) >= lines + STEPS));
    }

    private static long committed(Path directory, int number) {
        return deeds(directory, number).filter(line -> line.startsWith("WROTE")).count();
    }

    private static Stream<String> deeds(Path directory, int number) {
        return IntStream.range(number * WorkerOptions.THREADS, (number + 1) * WorkerOptions.THREADS)
                .mapToObj(writer -> directory.resolve(writer + Deeds.SUFFIX))
                .filter(Files::exists)
                .flatMap(UniqueValuesAttackIntegrationTests::lines);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> failures(Path directory) {
        return IntStream.range(0, started)
                .boxed()
                .flatMap(number -> deeds(directory, number))
                .filter(line -> line.startsWith("FAILED"))
                .limit(10)
                .toList();
    }

    private void hit(Path directory) {
        LockSupport.parkNanos(random.nextInt(400) * 1_000_000L);
        TestDatabase database = cluster.database(random.nextBoolean() ? "pg1" : "pg2");
        switch (random.nextInt(8)) {
            case 0 -> kill(directory);
            case 1 -> crash(database);
            case 2 -> move();
            case 3, 4 -> sessions(database, "pg_terminate_backend", 1 + random.nextInt(3));
            default -> sessions(database, "pg_cancel_backend", 1 + random.nextInt(4));
        }
    }

    private void count(String hit) {
        counts.merge(hit, 1, Integer::sum);
    }

    private void kill(Path directory) {
        int index = random.nextInt(workers.size());
        if (workers.get(index).isGrown()) {
            workers.remove(index).kill();
            numbers.remove(index);
            start(directory);
            count("kills");
        }
    }

    private void crash(TestDatabase database) {
        if (move.isDone()) {
            database.server().stop();
            database.server().start();
            count("crashes");
        }
    }

    /** Shard 1 goes to the other server, or back. */
    private void move() {
        if (move.isDone()) {
            String from = away ? "pg2" : "pg1";
            String to = away ? "pg1" : "pg2";
            away = !away;
            move = OwnThread.run(() -> {
                cluster.mover(MoveOptions.DEFAULT).move(1, to);
                cluster.mover(MoveOptions.DEFAULT).dropOldCopy(1, from);
            });
            count("moves");
        }
    }

    private void sessions(TestDatabase database, String function, int limit) {
        counts.merge(
                function,
                (int) database.queryLong("SELECT count(*) FILTER (WHERE " + function
                        + "(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'worker-%'"
                        + " ORDER BY state = 'active' DESC, random() LIMIT " + limit + ") s"),
                Integer::sum);
    }

    /** Each name that no row has is saved in any shard. */
    private void takeTheRest(Set<String> taken) {
        Set<String> free = new HashSet<>();
        IntStream.range(0, LoginsSession.NAMES)
                .mapToObj(i -> "name" + i)
                .filter(name -> !taken.contains(name))
                .forEach(free::add);
        RoutingDataSource dataSource =
                new RoutingDataSource(new Cluster(IdLayout.DEFAULT, cluster.currentMap()), cluster.sources());
        try (SessionFactory sessions = LoginsWorker.sessions(dataSource)) {
            for (String name : free) {
                ShardContext.run(
                        random.nextInt(LoadOptions.SHARDS),
                        () -> sessions.inTransaction(session -> session.persist(new Login(name))));
            }
        }
    }
}
