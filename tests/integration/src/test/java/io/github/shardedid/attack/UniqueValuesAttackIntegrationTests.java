package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes compete for names that are unique over all shards, while they, their sessions and the servers are hit, a shard goes back and forth, and
 * a database is restored on a server whose ids of transactions restart. What is asserted is said in {@link LoginsOracle}; and that
 * nobody is blocked, that each process goes on, and that each name that no row has can be had.
 */
@Tag("attack")
@Tag("embedded-only")
class UniqueValuesAttackIntegrationTests {
    private static final int PROCESSES = Integer.getInteger("sharded-id.test.attack-processes", 2);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int STEPS = 20;
    private static final String WORKERS = " FROM pg_stat_activity WHERE application_name LIKE 'worker-%'";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    private final Random random = new Random(AttackSettings.seed());
    private final Optional<Path> installed = InstalledPostgresServer.binaries();
    private final BankCluster cluster = new BankCluster("classpath:db/logins", this::newServer);
    private final Map<Integer, WorkerProcess> workers = new TreeMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final BlockedSessions blocked = new BlockedSessions();
    private CompletableFuture<?> move = CompletableFuture.completedFuture(null);
    private String home = "pg1";
    private int started;

    /** What a round does in any order. */
    private enum Hit {
        KILL,
        CRASH,
        MOVE,
        TERMINATE,
        CANCEL
    }

    /** A dump can be made of an installed server only. */
    private PostgresServer newServer() {
        return installed.<PostgresServer>map(InstalledPostgresServer::new).orElseGet(PostgresServers::start);
    }

    @Test
    void noTwoRowsEverHaveOneName() throws SQLException {
        Path directory = AttackSettings.directoryIn(evidence);
        try {
            IntStream.range(0, PROCESSES).forEach(i -> start(directory));
            awaitProgress(directory);
            long end = System.nanoTime() + AttackSettings.duration(1).toNanos();
            do {
                round(directory);
            } while (System.nanoTime() - end < 0);
            restore(directory);
            round(directory);
            move.join();
            awaitProgress(directory);
            workers.values().forEach(WorkerProcess::end);
            workers.values().forEach(WorkerProcess::join);
            judge(directory);
        } finally {
            workers.values().forEach(WorkerProcess::kill);
            cluster.close();
        }
    }

    private void judge(Path directory) throws SQLException {
        LoginsOracle oracle = new LoginsOracle(cluster);
        List<String> faults = oracle.judge();
        List<String> failures = failures(directory);
        System.err.println("Unique values: " + counts + ", committed changes " + oracle.events() + ", names taken "
                + oracle.taken().size() + ", faults " + faults.size() + ", failures " + failures.size()
                + ", longest wait seen, ms: " + blocked.longest());
        assertThat(faults).isEmpty();
        assertThat(failures).isEmpty();
        assertThat(blocked.faults()).isEmpty();
        takeTheRest(oracle.taken());
        LoginsOracle after = new LoginsOracle(cluster);
        assertThat(after.judge()).isEmpty();
        assertThat(after.taken()).hasSize(LoginsSession.NAMES);
    }

    private void start(Path directory) {
        int number = started++;
        workers.put(
                number, WorkerProcess.start(LoginsWorker.class, cluster.options(directory, number, random.nextLong())));
    }

    /** Until each process has committed some more, whatever others have left behind. */
    private void awaitProgress(Path directory) {
        Map<Integer, Long> before = new TreeMap<>();
        workers.keySet().forEach(number -> before.put(number, committed(directory, number)));
        before.forEach(
                (number, lines) -> await("process " + number, () -> committed(directory, number) >= lines + STEPS));
    }

    /** Until all together have committed some more. */
    private void awaitChanges(Path directory) {
        long before = committed(directory);
        await("processes", () -> committed(directory) >= before + STEPS);
    }

    private void await(String what, BooleanSupplier done) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(300))
                .timeout(PATIENCE)
                .until(() -> {
                    cluster.databases().values().forEach(blocked::look);
                    return done.getAsBoolean();
                });
    }

    private long committed(Path directory) {
        return IntStream.range(0, started)
                .mapToLong(number -> committed(directory, number))
                .sum();
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

    /** Each hit some times, in any order. The processes go on between them, so that a slow machine is hit more slowly. */
    private void round(Path directory) {
        List<Hit> hits = new ArrayList<>(List.of(Hit.values()));
        hits.addAll(List.of(Hit.CRASH, Hit.TERMINATE, Hit.TERMINATE, Hit.CANCEL, Hit.CANCEL, Hit.CANCEL));
        Collections.shuffle(hits, random);
        for (Hit hit : hits) {
            TestDatabase database = cluster.database(random.nextBoolean() ? "pg1" : "pg2");
            switch (hit) {
                case KILL -> kill(directory);
                case CRASH -> crash(database);
                case MOVE -> move();
                case TERMINATE -> sessions(database, "pg_terminate_backend", 1 + random.nextInt(3));
                case CANCEL -> sessions(database, "pg_cancel_backend", 1 + random.nextInt(4));
            }
            awaitChanges(directory);
        }
    }

    private void count(String hit) {
        counts.merge(hit, 1, Integer::sum);
    }

    private void kill(Path directory) {
        List<Integer> grown = workers.keySet().stream()
                .filter(number -> committed(directory, number) > 0)
                .toList();
        WorkerProcess process = workers.remove(grown.get(random.nextInt(grown.size())));
        process.kill();
        start(directory);
        count("kills");
    }

    private void crash(TestDatabase database) {
        move.join();
        database.server().stop();
        database.server().start();
        count("crashes");
    }

    /** Shard 1 goes to the other server, or back. */
    private void move() {
        move.join();
        String from = home;
        String to = home.equals("pg1") ? "pg2" : "pg1";
        move = OwnThread.run(() -> {
            ShardMover mover = cluster.mover(MoveOptions.DEFAULT);
            Move made = mover.move(1, to);
            assertThat(made.step()).as("%s", made.failure()).isEqualTo(MoveStep.DONE);
            mover.dropOldCopy(1, from);
        });
        home = to;
        count("moves");
    }

    private void sessions(TestDatabase database, String function, int limit) {
        counts.merge(
                function,
                (int) database.queryLong("SELECT count(*) FILTER (WHERE " + function + "(pid)) FROM (SELECT pid"
                        + WORKERS + " ORDER BY state = 'active' DESC, random() LIMIT " + limit + ") s"),
                Integer::sum);
    }

    /** All processes die at the same moment, and one database comes back elsewhere: by a dump, with all that was committed. */
    private void restore(Path directory) {
        move.join();
        workers.values().forEach(WorkerProcess::kill);
        workers.clear();
        cluster.databases().values().forEach(database -> Awaitility.await()
                .timeout(PATIENCE)
                .until(() -> database.queryLong("SELECT count(pg_terminate_backend(pid))" + WORKERS) == 0));
        TestDatabase before = cluster.database("pg2");
        if (before.server() instanceof InstalledPostgresServer server) {
            InstalledPostgresServer fresh = new InstalledPostgresServer(installed.orElseThrow());
            TestDatabase after = fresh.newDatabase();
            server.copy(before.name(), fresh, after.name());
            cluster.replace("pg2", after);
            count("restores");
        }
        IntStream.range(0, PROCESSES).forEach(i -> start(directory));
        awaitProgress(directory);
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
