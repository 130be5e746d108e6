package io.github.shardedid.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Finding an entity by its id by Hibernate, one call after the other: in a transaction, outside of one, and in one that
 * updates it. Sharded entities in the shards of two databases, another one each time and shard after shard, so that a
 * database is as warm as the other side's single one; beside them plain JPA with a pool like that of Spring Boot.
 */
final class FindFigures implements AutoCloseable {
    private static final int SHARDS = 8;
    private static final int ROWS = 1_000;

    private final ShardedDatabases sharded;
    private final HikariDataSource plainPool;
    private final SessionFactory deferred;
    private final SessionFactory eager;
    private final SessionFactory plain;
    private final Object[] shardedIds;
    private final Object[] plainIds;
    private int calls;

    /** Prepares three databases. */
    FindFigures(Database first, Database second, Database single) throws Exception {
        sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, SHARDS, first, second);
        single.execute("CREATE SEQUENCE photo_id_seq INCREMENT BY 50;"
                + " CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text)");
        plainPool = single.pool("plain");
        deferred = SaveFigures.sessions(sharded.dataSource(), SavedByDatabase.class);
        eager = SaveFigures.sessions(
                sharded.dataSource(RoutingOptions.DEFAULT.withDeferredBegin(false)), SavedByDatabase.class);
        plain = SaveFigures.sessions(plainPool, SavedPlainly.class);
        shardedIds = save(deferred, user -> new SavedByDatabase(user, "to be found"));
        plainIds = save(plain, user -> new SavedPlainly(user, "to be found"));
    }

    private static Object[] save(SessionFactory sessions, LongFunction<Object> entity) {
        Object[] ids = new Object[ROWS];
        for (int i = 0; i < ROWS; i++) {
            long shard = (long) i * SHARDS / ROWS;
            Object saved = entity.apply(shard + (long) SHARDS * i);
            sessions.inTransaction(session -> session.persist(saved));
            ids[i] = Objects.requireNonNull(
                    sessions.getPersistenceUnitUtil().getIdentifier(saved), "a saved entity has an id");
        }
        return ids;
    }

    /** Updates come last: whoever reads a row first after an update tidies up its page for the others. */
    void measure(Extent extent, Report report) throws Exception {
        int calls = extent.of(200);
        Map<String, Rounds.Measurement> finds = new LinkedHashMap<>();
        finds.put("deferred", () -> microsOf(calls, this::findDeferred));
        finds.put("plain", () -> microsOf(calls, this::findPlainly));
        finds.put("eager", () -> microsOf(calls, this::findEagerly));
        finds.put("autocommit", () -> microsOf(calls, () -> autocommit(deferred, this::shardedPhoto)));
        finds.put("plain autocommit", () -> microsOf(calls, () -> autocommit(plain, this::plainPhoto)));
        Rounds found = warm(extent, finds);
        report.ratio("find by id in a transaction ÷ plain JPA", 0.65, found, "deferred", "plain", "µs");
        report.ratio(
                "find by id in a transaction, deferred BEGIN off, ÷ plain JPA", 1.05, found, "eager", "plain", "µs");
        report.ratio("find by id in autocommit ÷ plain JPA", 1.1, found, "autocommit", "plain autocommit", "µs");
        report.raw("find by id, µs", found);
        allocation("a find by id in a transaction", calls, report, this::findDeferred, this::findPlainly);

        Map<String, Rounds.Measurement> updates = new LinkedHashMap<>();
        updates.put("update", () -> microsOf(calls, this::update));
        updates.put("plain update", () -> microsOf(calls, this::updatePlainly));
        Rounds updated = warm(extent, updates);
        report.ratio("find by id and update ÷ plain JPA", 1.05, updated, "update", "plain update", "µs");
        report.raw("find by id and update, µs", updated);
        allocation("a find by id and update", calls, report, this::update, this::updatePlainly);
    }

    private static void allocation(String what, int calls, Report report, Runnable ours, Runnable theirs)
            throws Exception {
        report.other(
                "bytes allocated by " + what + " (by plain JPA)",
                "–",
                String.format(
                        Locale.ROOT, "%,d (%,d)", Allocation.perCall(calls, ours), Allocation.perCall(calls, theirs)));
    }

    private static Rounds warm(Extent extent, Map<String, Rounds.Measurement> ways) throws Exception {
        Rounds.run(extent.quick() ? 1 : 50, ways);
        return Rounds.run(extent.quick() ? 2 : 150, ways);
    }

    private static double microsOf(int times, Runnable call) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            call.run();
        }
        return (System.nanoTime() - start) / 1e3 / times;
    }

    private SavedByDatabase shardedPhoto(Session session) {
        return session.find(SavedByDatabase.class, shardedIds[calls++ % ROWS]);
    }

    private SavedPlainly plainPhoto(Session session) {
        return session.find(SavedPlainly.class, plainIds[calls++ % ROWS]);
    }

    /** Finds the next one in a transaction. */
    void findDeferred() {
        deferred.inTransaction(this::shardedPhoto);
    }

    /** Finds the next one in a transaction that begins at once. */
    void findEagerly() {
        eager.inTransaction(this::shardedPhoto);
    }

    /** Finds the next one in a transaction of plain JPA. */
    void findPlainly() {
        plain.inTransaction(this::plainPhoto);
    }

    private static void autocommit(SessionFactory sessions, Consumer<Session> find) {
        try (Session session = sessions.openSession()) {
            find.accept(session);
        }
    }

    /** Finds the next one and changes it. */
    void update() {
        deferred.inTransaction(session -> shardedPhoto(session).caption = "changed by call " + calls);
    }

    /** Finds the next one and changes it, by plain JPA. */
    void updatePlainly() {
        plain.inTransaction(session -> plainPhoto(session).caption = "changed by call " + calls);
    }

    @Override
    public void close() {
        deferred.close();
        eager.close();
        plain.close();
        plainPool.close();
        sharded.close();
    }
}
