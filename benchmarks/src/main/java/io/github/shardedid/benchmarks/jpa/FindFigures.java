package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.measure.Allocation;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.routing.RoutingOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
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

    private static final int CONNECTIONS = 8;

    private final ScaledShards shards;
    private final PlainTable table;
    private final SessionFactory eager;
    private int calls;

    /** Prepares three databases. */
    private FindFigures(Database first, Database second, Database single) throws Exception {
        shards = new ScaledShards(SHARDS, ROWS, first, second);
        table = new PlainTable(ROWS, CONNECTIONS, single);
        eager = shards.sessions(RoutingOptions.DEFAULT.withDeferredBegin(false));
        for (Database each : List.of(first, second, single)) {
            each.execute("VACUUM ANALYZE");
        }
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
        Runnable find = () -> shards.sessions().inTransaction(this::shardedPhoto);
        Runnable findPlainly = () -> table.sessions().inTransaction(this::plainPhoto);
        Map<String, Rounds.Measurement> finds = new LinkedHashMap<>();
        finds.put("deferred", () -> Timed.micros(calls, find::run));
        finds.put("plain", () -> Timed.micros(calls, findPlainly::run));
        finds.put("eager", () -> Timed.micros(calls, () -> eager.inTransaction(this::shardedPhoto)));
        finds.put("autocommit", () -> Timed.micros(calls, () -> autocommit(shards.sessions(), this::shardedPhoto)));
        finds.put("plain autocommit", () -> Timed.micros(calls, () -> autocommit(table.sessions(), this::plainPhoto)));
        Rounds found = warm(extent, finds);
        section.ratio("find by id in a transaction ÷ plain JPA", 0.65, found, "deferred", "plain", "µs");
        section.ratio(
                "find by id in a transaction, deferred BEGIN off, ÷ plain JPA", 1.05, found, "eager", "plain", "µs");
        section.ratio("find by id in autocommit ÷ plain JPA", 1.1, found, "autocommit", "plain autocommit", "µs");
        section.raw("find by id, µs", found);
        allocation("a find by id in a transaction", calls, section, find, findPlainly);

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

    /** The next photo, another one each time. */
    private SavedByDatabase shardedPhoto(Session session) {
        return ScaledShards.find(session, shards.ids().get(calls++ % ROWS));
    }

    private SavedPlainly plainPhoto(Session session) {
        return PlainTable.find(session, 1L + calls++ % ROWS);
    }

    private static void autocommit(SessionFactory sessions, Consumer<Session> find) {
        try (Session session = sessions.openSession()) {
            find.accept(session);
        }
    }

    private void update() {
        shards.sessions().inTransaction(session -> shardedPhoto(session).caption = "changed by call " + calls);
    }

    private void updatePlainly() {
        table.sessions().inTransaction(session -> plainPhoto(session).caption = "changed by call " + calls);
    }

    @Override
    public void close() {
        eager.close();
        table.close();
        shards.close();
    }
}
