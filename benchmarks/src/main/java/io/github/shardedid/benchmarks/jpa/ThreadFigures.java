package io.github.shardedid.benchmarks.jpa;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Many threads that share few connections: each finds a row of its own and one of somebody else, who lives on the other
 * database as often as not, and changes its own, in one transaction. Two pools of ten on one side, and on the other plain
 * JPA with a pool as large as both. A call that fails fails the measurement.
 */
public final class ThreadFigures implements AutoCloseable {
    private static final int SHARDS = 8;
    private static final int ROWS = 400;
    private static final int THREADS = 200;
    private static final int CONNECTIONS = 10;

    private final ShardedDatabases sharded;
    private final HikariDataSource plainPool;
    private final SessionFactory shardedSessions;
    private final SessionFactory plainSessions;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Object> shardedIds;
    private final List<Object> plainIds;

    /** Prepares three databases. */
    ThreadFigures(Database first, Database second, Database single) throws Exception {
        sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, SHARDS, first, second);
        sharded.resizePools(CONNECTIONS);
        single.execute("CREATE SEQUENCE photo_id_seq INCREMENT BY 50;"
                + " CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text)");
        plainPool = single.pool("plain");
        plainPool.setMaximumPoolSize(2 * CONNECTIONS);
        shardedSessions = Sessions.of(sharded.dataSource(), SavedByDatabase.class);
        plainSessions = Sessions.of(plainPool, SavedPlainly.class);
        shardedIds = save(shardedSessions, user -> new SavedByDatabase(user, "to be found"));
        plainIds = save(plainSessions, user -> new SavedPlainly(user, "to be found"));
    }

    private static List<Object> save(SessionFactory sessions, LongFunction<Object> entity) {
        List<Object> ids = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            Object saved = entity.apply(i);
            sessions.inTransaction(session -> session.persist(saved));
            ids.add(Objects.requireNonNull(
                    sessions.getPersistenceUnitUtil().getIdentifier(saved), "a saved entity has an id"));
        }
        return ids;
    }

    /** Measures many threads. */
    public static void measure(Extent extent, Section section) throws Exception {
        try (ThreadFigures threads = new ThreadFigures(Database.create(1), Database.create(2), Database.create(1))) {
            threads.share(extent, section);
        }
    }

    private void share(Extent extent, Section section) throws Exception {
        int calls = extent.of(50);
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("find", () -> micros(calls, this::find));
        ways.put("plain find", () -> micros(calls, this::findPlainly));
        ways.put("update", () -> micros(calls, this::findAndUpdate));
        ways.put("plain update", () -> micros(calls, this::findAndUpdatePlainly));
        Rounds rounds = Rounds.run(extent.rounds(20), ways);
        String what = THREADS + " threads on two pools of " + CONNECTIONS;
        // Throughput is the inverse of the cost: at least 0.95 of plain JPA's is at most 1.05 of its cost.
        section.ratio(what + ": find by id ÷ plain JPA", 1.05, rounds, "find", "plain find", "µs");
        section.ratio(what + ": find two, update one ÷ plain JPA", 1.05, rounds, "update", "plain update", "µs");
        section.raw(what + ", µs", rounds);
    }

    private double micros(int calls, Runnable call) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        long start = System.nanoTime();
        for (int thread = 0; thread < THREADS; thread++) {
            running.add(threads.submit(() -> {
                for (int i = 0; i < calls; i++) {
                    call.run();
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        return (System.nanoTime() - start) / 1e3 / THREADS / calls;
    }

    private static Object anyOf(List<Object> ids) {
        return ids.get(ThreadLocalRandom.current().nextInt(ids.size()));
    }

    private SavedByDatabase anyPhoto(Session session) {
        return session.find(SavedByDatabase.class, anyOf(shardedIds));
    }

    private SavedPlainly anyPlainPhoto(Session session) {
        return session.find(SavedPlainly.class, anyOf(plainIds));
    }

    /** Finds a row in a transaction. */
    void find() {
        shardedSessions.inTransaction(this::anyPhoto);
    }

    /** The same by plain JPA. */
    void findPlainly() {
        plainSessions.inTransaction(this::anyPlainPhoto);
    }

    /** Finds two rows and changes one of them, in one transaction. */
    void findAndUpdate() {
        shardedSessions.inTransaction(session -> {
            SavedByDatabase own = anyPhoto(session);
            own.caption = "after " + anyPhoto(session).id;
        });
    }

    /** The same by plain JPA. */
    void findAndUpdatePlainly() {
        plainSessions.inTransaction(session -> {
            SavedPlainly own = anyPlainPhoto(session);
            own.caption = "after " + anyPlainPhoto(session).id;
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
        shardedSessions.close();
        plainSessions.close();
        plainPool.close();
        sharded.close();
    }
}
