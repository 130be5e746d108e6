package io.github.shardedid.attack;

import io.github.shardedid.attack.AttackCounts.Crash;
import io.github.shardedid.attack.AttackCounts.Hit;
import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Hits workers, sessions, servers and clocks at random: first each in turn, then by their weights. */
final class Attacker {
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int HOUR_MILLIS = 3_600_000;
    private static final int SECONDS_MILLIS = 2_000;

    private final AttackedCluster cluster;
    private final Workers workers;
    private final Random random;
    private final AttackCounts counts = new AttackCounts();
    private final List<Hit> weighted = new ArrayList<>();
    private final List<Hit> first;
    private final List<Delayed> delayed = new ArrayList<>();

    Attacker(AttackedCluster cluster, Workers workers, Random random, Set<Hit> hits) {
        this.cluster = cluster;
        this.workers = workers;
        this.random = random;
        for (Hit hit : EnumSet.copyOf(hits)) {
            weighted.addAll(Collections.nCopies(weight(hit), hit));
        }
        first = new ArrayList<>(EnumSet.copyOf(hits));
    }

    private static int weight(Hit hit) {
        return switch (hit) {
            case CANCELS -> 12;
            case CLOCK_STEPS -> 8;
            case TERMINATES -> 5;
            case KILLS, STOPS -> 3;
            case LOCKED_LEASES -> 2;
            case CRASHES -> 2;
        };
    }

    AttackCounts counts() {
        return counts;
    }

    void run(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_PAUSE));
            workers.assertAlive();
            finishDue(false);
            strike(first.isEmpty() ? weighted.get(random.nextInt(weighted.size())) : first.remove(0));
        }
        finishDue(true);
    }

    /** At most as long as any machine needs. */
    void runUntil(BooleanSupplier enough) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            run(Duration.ofSeconds(1));
        } while (!enough.getAsBoolean() && System.nanoTime() - end < 0);
        if (!enough.getAsBoolean()) {
            throw new AssertionError("What was waited for did not come about in " + PATIENCE);
        }
    }

    private void strike(Hit hit) {
        int number = random.nextInt(cluster.databases().size());
        try {
            LeakedLocks.assertNone(cluster.databases().get(number));
            switch (hit) {
                case KILLS -> kill();
                case STOPS -> stop();
                case CANCELS -> backends(hit, number, "pg_cancel_backend", 1 + random.nextInt(6));
                case TERMINATES -> backends(hit, number, "pg_terminate_backend", 1 + random.nextInt(2));
                case CLOCK_STEPS -> step(number);
                case LOCKED_LEASES -> lock(number);
                case CRASHES -> crash(number);
            }
        } catch (SQLException e) {
            // the attacker's own session was hit, or the server is just starting
        }
    }

    private void kill() {
        WorkerProcess process = workers.any(random, random.nextInt(4) == 0 ? SqlWorker.class : JvmWorker.class);
        // Most are left alone until they have made ids, some are killed while they start.
        if (!process.isStopped() && (process.isGrown() || random.nextInt(4) == 0)) {
            workers.replace(process);
            counts.add(Hit.KILLS, 1);
        }
    }

    /** Past the end of its leases, or not quite. */
    private void stop() {
        WorkerProcess process = workers.any(random, JvmWorker.class);
        if (!process.isStopped()) {
            process.stop();
            counts.add(Hit.STOPS, 1);
            later(500 + random.nextInt(4000), process::goOn);
        }
    }

    private void backends(Hit hit, int number, String function, int count) throws SQLException {
        TestDatabase database = cluster.databases().get(number);
        String sql = "SELECT count(*) FILTER (WHERE " + function + "(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE"
                + " datname = '" + database.name() + "' AND pid <> pg_backend_pid() ORDER BY state = 'active' DESC,"
                + " random() LIMIT " + count + ") s";
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            counts.add(hit, row.getInt(1));
        }
    }

    /** The last server's clock steps by up to an hour at times, the others' by seconds, mostly by milliseconds. */
    private void step(int number) throws SQLException {
        boolean last = number == cluster.databases().size() - 1;
        int most =
                switch (random.nextInt(4)) {
                    case 0 -> last ? HOUR_MILLIS : SECONDS_MILLIS;
                    case 1 -> SECONDS_MILLIS;
                    default -> 50;
                };
        try (Connection connection = cluster.databases().get(number).connect()) {
            ClockSeam.set(connection, Duration.ofMillis(random.nextInt(2 * most + 1) - most));
            counts.add(Hit.CLOCK_STEPS, 1);
        }
    }

    /** A stranger holds the lease rows of a shard, or the whole table. */
    private void lock(int number) throws SQLException {
        List<Place> places = new ArrayList<>();
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            if (cluster.indexOfHome(shard) == number) {
                places.add(new Place(shard, "sharded_id_lease"));
            }
        }
        String table = places.get(random.nextInt(places.size())).qualified();
        Connection connection = cluster.databases().get(number).connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // Not to wait for an earlier stranger, who is of this thread.
            statement.execute("SET LOCAL lock_timeout = '100ms'");
            statement.execute(random.nextBoolean() ? "SELECT FROM " + table + " FOR UPDATE" : "LOCK TABLE " + table);
        } catch (SQLException e) {
            close(connection);
            throw e;
        }
        counts.add(Hit.LOCKED_LEASES, 1);
        later(random.nextInt(3000), () -> close(connection));
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // it was hit meanwhile
        }
    }

    private void crash(int number) {
        PostgresServer server = cluster.databases().get(number).server();
        long from = System.currentTimeMillis();
        server.stop();
        LockSupport.parkNanos((long) (random.nextDouble() * 4 * LONGEST_PAUSE));
        server.start();
        counts.add(new Crash(number, from, System.currentTimeMillis()));
    }

    private void later(int millis, Runnable end) {
        delayed.add(new Delayed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), end));
    }

    private void finishDue(boolean all) {
        List<Delayed> due = delayed.stream()
                .filter(one -> all || System.nanoTime() - one.due() >= 0)
                .toList();
        delayed.removeAll(due);
        due.forEach(one -> one.end().run());
    }

    private record Delayed(long due, Runnable end) {}
}
