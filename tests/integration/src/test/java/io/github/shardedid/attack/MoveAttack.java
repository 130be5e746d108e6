package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Applications and plain sessions that write to a {@link BankCluster}, and processes that move its shards meanwhile. */
final class MoveAttack implements AutoCloseable {
    private static final Duration LONGEST_MOVE = Duration.ofMinutes(5);
    private static final int GROWN_LINES = 150;

    private final BankCluster cluster = new BankCluster();
    private final Path directory;
    private final Random random = new Random(AttackSettings.seed());
    private final Map<Integer, WorkerProcess> load = new TreeMap<>();
    private int started;

    /** A mover's process, and what it has told. */
    final class MoverRun {
        private final int number;
        private final WorkerProcess process;

        MoverRun(int number) {
            this.number = number;
            this.process =
                    WorkerProcess.start(MoverWorker.class, cluster.options(directory, number, random.nextLong()));
        }

        List<String> told() {
            Path log = MoverWorker.log(directory, number);
            try {
                return Files.exists(log) ? Files.readAllLines(log) : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Until it has begun a step, or ended; says whether it is there. */
        boolean awaitLine(String line) {
            Awaitility.await()
                    .timeout(LONGEST_MOVE)
                    .until(() -> told().contains(line) || told().contains("end") || !process.isAlive());
            return told().contains(line);
        }

        void kill() {
            process.kill();
        }

        void stop() {
            process.stop();
        }

        void goOn() {
            process.goOn();
        }

        /** Until it has obeyed all orders; returns what it told of each that was done. */
        List<String> awaitDone() {
            for (int before = -1; before < told().size() && !told().contains("end"); ) {
                int seen = told().size();
                before = seen;
                Awaitility.await().timeout(LONGEST_MOVE).until(() -> told().size() > seen || !process.isAlive());
            }
            assertThat(told()).as("what the mover has told").contains("end");
            assertThat(told()).noneMatch(line -> line.startsWith("failed"));
            return told().stream().filter(line -> line.startsWith("done")).toList();
        }
    }

    MoveAttack(Path parent) {
        this.directory = AttackSettings.directoryIn(parent);
    }

    BankCluster cluster() {
        return cluster;
    }

    Random random() {
        return random;
    }

    /** Starts workers, and waits until all are at work. */
    void load(int applications, int sessions) {
        for (int i = 0; i < applications; i++) {
            start(LoadWorker.class);
        }
        for (int i = 0; i < sessions; i++) {
            start(PreparedWorker.class);
        }
        int writers = applications * LoadWorker.THREADS + sessions * PreparedWorker.SESSIONS;
        Awaitility.await().timeout(LONGEST_MOVE).until(() -> busyWriters() == writers);
    }

    /** Starts a worker that lives to the end; returns its number. */
    int start(Class<?> kind) {
        int number = started++;
        load.put(number, WorkerProcess.start(kind, cluster.options(directory, number, random.nextLong())));
        return number;
    }

    /** Starts a worker, and waits until it is at work; returns its number. */
    int startGrown(Class<?> kind) {
        int number = start(kind);
        Awaitility.await().timeout(LONGEST_MOVE).until(() -> linesOf(number) > GROWN_LINES);
        return number;
    }

    /** Ends a worker, in good order or by SIGKILL, and starts another one of its kind; returns the new number. */
    int restart(int number, boolean kill) {
        WorkerProcess old = worker(number);
        if (kill) {
            old.kill();
        } else {
            old.end();
            old.join();
        }
        load.remove(number);
        return startGrown(old.kind());
    }

    WorkerProcess worker(int number) {
        return Objects.requireNonNull(load.get(number));
    }

    /** What a worker has written down so far, in lines. */
    long linesOf(int number) {
        return IntStream.range(number * WorkerOptions.THREADS, (number + 1) * WorkerOptions.THREADS)
                .mapToObj(writer -> directory.resolve(writer + Deeds.SUFFIX))
                .filter(Files::exists)
                .mapToLong(MoveAttack::lines)
                .sum();
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long busyWriters() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> deeds =
                    files.filter(file -> file.toString().endsWith(Deeds.SUFFIX)).toList();
            long busy = 0;
            for (Path file : deeds) {
                busy += lines(file) > GROWN_LINES ? 1 : 0;
            }
            return busy;
        }
    }

    MoverRun mover(List<String> orders) {
        try {
            Files.write(MoverWorker.orders(directory, started), orders);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new MoverRun(started++);
    }

    /** Ends the load in good order, and looks. Prints what it finds. */
    MoveOracle judge(Set<Integer> moved) throws SQLException {
        load.forEach((number, worker) ->
                assertThat(worker.isAlive()).as("worker %s lives", number).isTrue());
        load.values().forEach(WorkerProcess::end);
        load.values().forEach(WorkerProcess::join);
        load.clear();
        MoveOracle oracle = new MoveOracle(cluster);
        oracle.judge(directory);
        System.err.println("Moves: " + oracle + "; files in " + directory + "\n"
                + oracle.pauses().table(moved));
        return oracle;
    }

    @Override
    public void close() {
        load.values().forEach(WorkerProcess::kill);
        cluster.close();
    }
}
