package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.UniqueAcrossShards;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes compete for names that are unique over all shards, while they, their sessions and the servers are hit, a shard goes back and forth,
 * a database is restored on a server whose ids of transactions restart, and another one goes back to an older state. What is asserted is said in
 * {@link LoginsOracle}, {@link LoginsCheckpoint} and {@link BlockedSessions}; and that each process goes on, and that each name that no row has
 * can be had.
 */
@Tag("attack")
@Tag("embedded-only")
class UniqueValuesAttackIntegrationTests {
    private static final int PROCESSES = Integer.getInteger("sharded-id.test.attack-processes", 4);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int STEPS = 20;
    private static final String WORKERS = " FROM pg_stat_activity WHERE application_name LIKE 'worker-%'";
    private static final Pattern ID = Pattern.compile("\\d+");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    private final Random random = new Random(AttackSettings.seed());
    private final Optional<Path> installed = InstalledPostgresServer.binaries();
    private final BankCluster cluster = new BankCluster("classpath:db/logins", this::newServer);
    private final LoginsMover mover = new LoginsMover(cluster);
    private final Map<Integer, WorkerProcess> workers = new TreeMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final BlockedSessions blocked = new BlockedSessions();
    private final List<String> faults = new ArrayList<>();
    private final long began = System.nanoTime();
    private int started;

    /** What a round does in any order. */
    private enum Hit {
        KILL,
        CRASH,
        MOVE,
        MOVE_AND_CRASH,
        TERMINATE,
        CANCEL,
        HOLD
    }

    private static final MoveStep[] STEPS_OF_MOVES = {
        MoveStep.PREPARE,
        MoveStep.COPY,
        MoveStep.CATCH_UP,
        MoveStep.FENCE,
        MoveStep.CARRY_OVER,
        MoveStep.SWITCH,
        MoveStep.CLEAN_UP
    };
    private static final List<Hit> ROUND = Stream.concat(
                    Stream.of(Hit.values()),
                    Stream.of(Hit.TERMINATE, Hit.TERMINATE, Hit.CANCEL, Hit.CANCEL, Hit.CANCEL))
            .toList();

    /** A dump can be made of an installed server only. */
    private PostgresServer newServer() {
        return installed.<PostgresServer>map(InstalledPostgresServer::new).orElseGet(PostgresServers::start);
    }

    @Test
    void noTwoRowsEverHaveOneName() throws SQLException {
        Path directory = AttackSettings.directoryIn(evidence);
        try {
            startAll(directory);
            long end = System.nanoTime() + AttackSettings.duration(1).toNanos();
            do {
                hit(directory, ROUND);
            } while (System.nanoTime() - end < 0);
            mover.join();
            if (installed.isPresent()) {
                restore(directory);
            }
            hit(directory, List.of(Hit.MOVE, Hit.CANCEL, Hit.CRASH, Hit.TERMINATE));
            mover.join();
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
        Set<String> taken = judgeRows();
        List<String> failures = deeds(directory, "FAILED").limit(10).toList();
        deeds(directory, "REFUSED").forEach(line -> count(line.substring(line.lastIndexOf(' ') + 1)));
        System.err.println("Unique values: " + counts + ", names taken " + taken.size() + ", faults " + faults.size()
                + ", failures " + failures.size() + ", longest waits seen, ms: " + blocked.longest());
        assertNoFaults();
        assertThat(failures).isEmpty();
        takeTheRest(taken);
        assertThat(judgeRows()).hasSize(LoginsSession.NAMES);
        assertNoFaults();
    }

    /** When nobody writes. */
    private Set<String> judgeRows() throws SQLException {
        LoginsOracle oracle = new LoginsOracle(cluster);
        faults.addAll(oracle.judge());
        counts.merge("taken", oracle.changes().get(0), Integer::sum);
        counts.merge("released", oracle.changes().get(1), Integer::sum);
        return oracle.taken();
    }

    private void assertNoFaults() {
        assertThat(faults).as("after %s s: %s", seconds(), counts).isEmpty();
        assertThat(blocked.faults()).as("after %s s: %s", seconds(), counts).isEmpty();
    }

    private long seconds() {
        return (System.nanoTime() - began) / 1_000_000_000;
    }

    private void startAll(Path directory) {
        IntStream.range(0, PROCESSES).forEach(i -> start(directory));
        awaitProgress(directory);
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
                    assertNoFaults();
                    assertThat(workers.values()).allMatch(WorkerProcess::isAlive);
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

    private Stream<String> deeds(Path directory, String kind) {
        return IntStream.range(0, started)
                .boxed()
                .flatMap(number -> deeds(directory, number))
                .filter(line -> line.startsWith(kind));
    }

    /** Hits, in any order. The processes go on between them, so that a slow machine is hit more slowly. */
    private void hit(Path directory, List<Hit> some) {
        List<Hit> hits = new ArrayList<>(some);
        Collections.shuffle(hits, random);
        for (Hit hit : hits) {
            String name = random.nextBoolean() ? "pg1" : "pg2";
            TestDatabase database = cluster.database(name);
            switch (hit) {
                case KILL -> kill(directory);
                case CRASH -> LoginsMover.crash(database);
                case MOVE -> mover.start();
                case MOVE_AND_CRASH -> mover.startAndCrash(STEPS_OF_MOVES[random.nextInt(STEPS_OF_MOVES.length)], name);
                case TERMINATE -> sessions(database, "pg_terminate_backend", 1 + random.nextInt(3));
                case CANCEL -> sessions(database, "pg_cancel_backend", 1 + random.nextInt(4));
                case HOLD -> hold();
            }
            count(hit.toString());
            awaitChanges(directory);
            checkpoint();
        }
    }

    private void count(String hit) {
        counts.merge(hit, 1, Integer::sum);
    }

    private void checkpoint() {
        LoginsCheckpoint checkpoint = new LoginsCheckpoint(cluster.databases().values());
        count(checkpoint.read() ? "checkpoints" : "checkpoints skipped");
        faults.addAll(checkpoint.faults());
        assertNoFaults();
    }

    private void kill(Path directory) {
        List<Integer> grown = workers.keySet().stream()
                .filter(number -> committed(directory, number) > 0)
                .toList();
        WorkerProcess process = workers.remove(grown.get(random.nextInt(grown.size())));
        process.kill();
        start(directory);
    }

    /** Transactions do not end for longer than anybody may be blocked. */
    private void hold() {
        try (SessionFactory sessions = sessions();
                HeldNames held = new HeldNames(sessions, random)) {
            assertThat(held.size()).isEqualTo(HeldNames.ENOUGH);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BlockedSessions.tooLong());
            await("holders", () -> System.nanoTime() - end > 0);
        }
    }

    private void sessions(TestDatabase database, String function, int limit) {
        counts.merge(
                function,
                (int) database.queryLong("SELECT count(*) FILTER (WHERE " + function + "(pid)) FROM (SELECT pid"
                        + WORKERS + " ORDER BY state = 'active' DESC, random() LIMIT " + limit + ") s"),
                Integer::sum);
    }

    /** All processes die at the same moment. */
    private void killAll() {
        workers.values().forEach(WorkerProcess::kill);
        workers.clear();
        cluster.databases().values().forEach(database -> Awaitility.await()
                .timeout(PATIENCE)
                .until(() -> database.queryLong("SELECT count(pg_terminate_backend(pid))" + WORKERS) == 0));
    }

    /** One database goes back to an older state. Then one comes back on another server, where the ids of transactions restart. */
    private void restore(Path directory) throws SQLException {
        InstalledPostgresServer server = installed(random.nextBoolean() ? "pg1" : "pg2");
        Path older = directory.resolve("older");
        server.stop();
        server.copyData(older);
        server.start();
        hit(directory, List.of(Hit.KILL, Hit.TERMINATE, Hit.CANCEL));
        killAll();
        judgeRows();
        assertNoFaults();
        server.stop();
        server.putBack(older);
        server.start();
        mend();
        copyElsewhere("pg2");
        judgeRows();
        assertNoFaults();
        startAll(directory);
    }

    private InstalledPostgresServer installed(String database) {
        return (InstalledPostgresServer) cluster.database(database).server();
    }

    /**
     * Two rows may have one name, and rows may have no claim: {@code check-claims} reports exactly those. When one of each two rows has lost its
     * name, and claims have been built, all holds as before.
     */
    private void mend() throws SQLException {
        LoginsCheckpoint found = new LoginsCheckpoint(cluster.databases().values());
        assertThat(found.read()).isTrue();
        counts.put("unclaimed after the restore", found.unclaimed().size());
        counts.put("doubles after the restore", found.doubles().size());
        try (SessionFactory sessions = sessions()) {
            UniqueAcrossShards.Claims claims =
                    UniqueAcrossShards.Claims.of(sessions).orElseThrow();
            assertThat(claims.check(false, progress -> {}).stream().map(UniqueValuesAttackIntegrationTests::firstId))
                    .containsExactlyInAnyOrderElementsOf(found.unclaimed());
            found.doubles().forEach(this::releaseName);
            assertThat(claims.build(progress -> {})).isEmpty();
            assertThat(claims.check(true, progress -> {})).isEmpty();
        }
        LoginsOracle.restart(cluster);
    }

    /** By a dump, with all that was committed. */
    private void copyElsewhere(String name) {
        InstalledPostgresServer fresh = new InstalledPostgresServer(installed.orElseThrow());
        TestDatabase after = fresh.newDatabase();
        installed(name).copy(cluster.database(name).name(), fresh, after.name());
        cluster.replace(name, after);
    }

    private static Long firstId(String problem) {
        Matcher id = ID.matcher(problem);
        assertThat(id.find()).as(problem).isTrue();
        return Long.valueOf(id.group());
    }

    /** As psql does. */
    private void releaseName(long id) {
        int shard = IdLayout.DEFAULT.shardOf(id);
        cluster.database(cluster.map().databaseOf(shard))
                .execute("UPDATE " + ShardSchema.nameOf(shard) + ".login SET name = NULL WHERE id = " + id);
    }

    private SessionFactory sessions() {
        return LoginsWorker.sessions(
                new RoutingDataSource(new Cluster(IdLayout.DEFAULT, cluster.currentMap()), cluster.sources()));
    }

    /** Each name that no row has is saved in any shard. */
    private void takeTheRest(Set<String> taken) {
        List<String> free = IntStream.range(0, LoginsSession.NAMES)
                .mapToObj(i -> "name" + i)
                .filter(name -> !taken.contains(name))
                .toList();
        try (SessionFactory sessions = sessions()) {
            for (String name : free) {
                ShardContext.run(
                        random.nextInt(LoadOptions.SHARDS),
                        () -> sessions.inTransaction(session -> session.persist(new Login(name))));
            }
        }
    }
}
