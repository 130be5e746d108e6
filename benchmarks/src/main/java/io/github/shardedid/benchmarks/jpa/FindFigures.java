package io.github.shardedid.benchmarks.jpa;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Allocation;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingOptions;
import java.util.LinkedHashMap;
import java.util.List;
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
public final class FindFigures implements AutoCloseable {
    private static final int SHARDS = 8;
    /** So many that no planner reads a shard's table whole rather than by its index. */
    private static final int ROWS = 16_000;

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
        deferred = Sessions.of(sharded.dataSource(), SavedByDatabase.class);
        eager = Sessions.of(sharded.dataSource(RoutingOptions.DEFAULT.withDeferredBegin(false)), SavedByDatabase.class);
        plain = Sessions.of(plainPool, SavedPlainly.class);
        shardedIds = save(deferred, user -> new SavedByDatabase(user, "to be found"));
        plainIds = save(plain, user -> new SavedPlainly(user, "to be found"));
        for (Database each : List.of(first, second, single)) {
            each.execute("VACUUM ANALYZE");
        }
    }

    private static Object[] save(SessionFactory sessions, LongFunction<Object> entity) {
        Object[] ids = new Object[ROWS];
        for (int shard = 0; shard < SHARDS; shard++) {
            long user = shard;
            int first = shard * (ROWS / SHARDS);
            sessions.inTransaction(session -> {
                for (int i = first; i < first + ROWS / SHARDS; i++) {
                    Object saved = entity.apply(user + (long) SHARDS * i);
                    session.persist(saved);
                    ids[i] = Objects.requireNonNull(
                            sessions.getPersistenceUnitUtil().getIdentifier(saved), "a saved entity has an id");
                }
            });
        }
        return ids;
    }

    /** Measures finds. */
    public static void measure(Extent extent, Section section) throws Exception {
        try (FindFigures finds = new FindFigures(Database.create(1), Database.create(2), Database.create(1))) {
            finds.findAndUpdate(extent, section);
        }
    }

    /** Updates come last: whoever reads a row first after an update tidies up its page for the others. */
    private void findAndUpdate(Extent extent, Section section) throws Exception {
        int calls = extent.of(200);
        Map<String, Rounds.Measurement> finds = new LinkedHashMap<>();
        finds.put("deferred", () -> Timed.micros(calls, this::findDeferred));
        finds.put("plain", () -> Timed.micros(calls, this::findPlainly));
        finds.put("eager", () -> Timed.micros(calls, this::findEagerly));
        finds.put("autocommit", () -> Timed.micros(calls, () -> autocommit(deferred, this::shardedPhoto)));
        finds.put("plain autocommit", () -> Timed.micros(calls, () -> autocommit(plain, this::plainPhoto)));
        Rounds found = warm(extent, finds);
        section.ratio("find by id in a transaction ÷ plain JPA", 0.65, found, "deferred", "plain", "µs");
        section.ratio(
                "find by id in a transaction, deferred BEGIN off, ÷ plain JPA", 1.05, found, "eager", "plain", "µs");
        section.ratio("find by id in autocommit ÷ plain JPA", 1.1, found, "autocommit", "plain autocommit", "µs");
        section.raw("find by id, µs", found);
        allocation("a find by id in a transaction", calls, section, this::findDeferred, this::findPlainly);

        Map<String, Rounds.Measurement> updates = new LinkedHashMap<>();
        updates.put("update", () -> Timed.micros(calls, this::update));
        updates.put("plain update", () -> Timed.micros(calls, this::updatePlainly));
        Rounds updated = warm(extent, updates);
        section.ratio("find by id and update ÷ plain JPA", 1.05, updated, "update", "plain update", "µs");
        section.raw("find by id and update, µs", updated);
        allocation("a find by id and update", calls, section, this::update, this::updatePlainly);
    }

    private static void allocation(String what, int calls, Section section, Runnable ours, Runnable theirs)
            throws Exception {
        section.other(
                "bytes allocated by " + what + " (by plain JPA)",
                "–",
                String.format(
                        Locale.ROOT, "%,d (%,d)", Allocation.perCall(calls, ours), Allocation.perCall(calls, theirs)));
    }

    private static Rounds warm(Extent extent, Map<String, Rounds.Measurement> ways) throws Exception {
        Rounds.run(extent.rounds(50), ways);
        return Rounds.run(extent.rounds(150), ways);
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
