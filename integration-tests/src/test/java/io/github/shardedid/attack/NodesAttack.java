package io.github.shardedid.attack;

import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.generator.IdSource;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.JvmIdSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads that make ids of all places in every way there is, until they are told to stop. */
final class NodesAttack implements AutoCloseable {
    private static final JvmIdOptions OPTIONS = JvmIdOptions.DEFAULT.withLease(Duration.ofSeconds(2));
    private static final int PER_MILLISECOND = 16;
    private static final int JITTER_MILLIS = 800;

    private final TestCluster cluster;
    private final long seed;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> workers = new ArrayList<>();
    private final List<JvmIdSource> sources = new ArrayList<>();
    private final List<HandedIds> handed = new ArrayList<>();
    private Duration clock = Duration.ZERO;
    private volatile boolean stopped;

    private NodesAttack(TestCluster cluster, long seed) {
        this.cluster = cluster;
        this.seed = seed;
    }

    /** On clocks that step. */
    static NodesAttack onSteppingClocks(TestCluster cluster, long seed) {
        NodesAttack attack = new NodesAttack(cluster, seed);
        cluster.databases().forEach(ClockSeam::install);
        attack.work(attack::stepClocks);
        return attack;
    }

    /** On the servers' own clock. */
    static NodesAttack onServersClock(TestCluster cluster, long seed) {
        return new NodesAttack(cluster, seed);
    }

    private interface Round {
        void run() throws SQLException;
    }

    private void rounds(Duration pause, Round round) {
        work(() -> {
            while (!stopped) {
                round.run();
                LockSupport.parkNanos(pause.toNanos());
            }
            return null;
        });
    }

    private void work(Callable<Void> work) {
        workers.add(threads.submit(work));
    }

    /** The clocks show the time with this offset, more or less. */
    synchronized void clock(Duration offset) {
        clock = offset;
        cluster.databases().forEach(database -> ClockSeam.set(database, offset));
    }

    private Void stepClocks() throws SQLException {
        Random random = new Random(seed);
        while (!stopped) {
            step(random);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        return null;
    }

    private synchronized void step(Random random) throws SQLException {
        for (TestDatabase database : cluster.databases()) {
            try (Connection connection = database.connect()) {
                ClockSeam.set(connection, clock.plusMillis(random.nextInt(2 * JITTER_MILLIS) - JITTER_MILLIS));
            }
        }
    }

    private HandedIds newHanded() {
        HandedIds ids = new HandedIds();
        handed.add(ids);
        return ids;
    }

    /** A JVM that was configured with so many nodes, and uses each millisecond of all places to the full. */
    HandedIds jvm(int nodes) {
        RoutingDataSource dataSource = cluster.configured(IdLayout.DEFAULT.withJvmNodes(nodes));
        JvmIdSource source = new JvmIdSource(dataSource, OPTIONS);
        sources.add(source);
        HandedIds ids = newHanded();
        rounds(Duration.ofMillis(1), () -> take(source, dataSource, Place.all(), ids));
        return ids;
    }

    /** A JVM that lets the database make the ids of some places. */
    HandedIds database(List<Place> places) {
        HandedIds ids = newHanded();
        DatabaseIdSource source = new DatabaseIdSource(IdLayout.DEFAULT);
        rounds(Duration.ofMillis(1), () -> take(source, cluster.dataSource(), places, ids));
        return ids;
    }

    private static void take(IdSource source, RoutingDataSource dataSource, List<Place> places, HandedIds ids)
            throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            for (Place place : places) {
                for (int i = 0; i < PER_MILLISECOND; i++) {
                    ids.add(place, source.next(place.shard(), place.sequence(), connection));
                }
            }
        }
    }

    /** A session that calls the functions, for one id or for some thousands. */
    HandedIds sql(List<Place> places) {
        HandedIds ids = newHanded();
        Random random = new Random(seed + handed.size());
        rounds(Duration.ofMillis(10), () -> {
            Place place = places.get(random.nextInt(places.size()));
            String call = random.nextInt(3) == 0
                    ? place.call("next_id", "") + " FROM generate_series(1, 20)"
                    : place.call("next_ids", ", " + (1 + random.nextInt(4000)));
            try (Connection connection = cluster.home(place.shard()).connect();
                    Statement statement = connection.createStatement()) {
                for (int i = 0; i < 10; i++) {
                    ids.addAll(place, statement.executeQuery("SELECT " + call));
                }
            }
        });
        return ids;
    }

    /** Transactions of some seconds, each of which fetches ids from one cursor. */
    HandedIds cursor(Place place, Duration length) {
        HandedIds ids = newHanded();
        rounds(Duration.ZERO, () -> {
            try (Connection connection = cluster.home(place.shard()).connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("DECLARE ids CURSOR FOR SELECT " + place.call("next_id", "")
                        + " FROM generate_series(1, 1000000)");
                long end = System.nanoTime() + length.toNanos();
                while (!stopped && System.nanoTime() < end) {
                    ids.addAll(place, statement.executeQuery("FETCH 700 FROM ids"));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                }
                connection.commit();
            }
        });
        return ids;
    }

    /** Stops all, and returns what each was handed. */
    List<HandedIds> stop() throws InterruptedException, ExecutionException {
        stopped = true;
        for (Future<?> worker : workers) {
            worker.get();
        }
        return handed;
    }

    @Override
    public void close() {
        stopped = true;
        sources.forEach(JvmIdSource::close);
        threads.shutdownNow();
    }
}
