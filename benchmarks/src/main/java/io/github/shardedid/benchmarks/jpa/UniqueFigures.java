package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.benchmarks.waiting.Waits;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;

/** Values that are unique over all shards: saves with a claim beside those without, and finds by the value beside those by the id. */
public final class UniqueFigures implements AutoCloseable {
    private static final int SHARDS = 8;
    private static final int ROWS = 1_000;
    private static final int CALLS = 40;
    private static final double SAVE_GOAL = 2.0;
    private static final double FIND_GOAL = 2.2;
    private static final String WITHOUT = "without a claim";

    private final ShardedDatabases databases;
    private final SessionFactory claimed;
    private final SessionFactory plain;
    private final List<ClaimedByJvm> rows = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();

    private UniqueFigures(Database first, Database second) throws Exception {
        databases = ShardedDatabases.withTables(IdLayout.DEFAULT, SHARDS, first, second);
        claimed = Sessions.of(databases.dataSource(), ClaimedByJvm.class, ClaimedByDatabase.class);
        plain = Sessions.of(databases.dataSource(), SavedByJvm.class, SavedByDatabase.class);
    }

    /** Compares them. */
    public static void measure(Waits waits, Database first, Database second) throws Exception {
        try (UniqueFigures figures = new UniqueFigures(first, second)) {
            figures.compare(waits);
        }
    }

    private void compare(Waits waits) throws Exception {
        waits.compare(
                "save with a claim in the row's shard, id of the JVM",
                WITHOUT,
                SAVE_GOAL,
                1,
                CALLS,
                () -> save(claimed, ownClaim()),
                () -> save(plain, new SavedByJvm(shard(), text())));
        waits.compare(
                "save with a claim in another shard, id of the JVM",
                WITHOUT,
                SAVE_GOAL,
                1,
                CALLS,
                () -> save(claimed, new ClaimedByJvm(shard(), text())),
                () -> save(plain, new SavedByJvm(shard(), text())));
        waits.compare(
                "save with a claim in another shard, id of the database",
                WITHOUT,
                SAVE_GOAL,
                1,
                CALLS,
                () -> save(claimed, new ClaimedByDatabase(shard(), text())),
                () -> save(plain, new SavedByDatabase(shard(), text())));
        for (int i = 0; i < waits.extent().of(ROWS); i++) {
            ClaimedByJvm row = new ClaimedByJvm(shard(), text());
            save(claimed, row);
            rows.add(row);
        }
        waits.compare("find by a unique value", "find by id", FIND_GOAL, 1, CALLS, this::findByValue, this::findById);
    }

    private static void save(SessionFactory sessions, Object row) {
        sessions.inTransaction(session -> session.persist(row));
    }

    /** A row in the shard of the claim of its text. */
    private static ClaimedByJvm ownClaim() {
        String text = text();
        return new ClaimedByJvm(ShardKeys.shardOf(text, SHARDS), text);
    }

    private int shard() {
        return calls.getAndIncrement() % SHARDS;
    }

    private static String text() {
        return UUID.randomUUID().toString();
    }

    private ClaimedByJvm next() {
        return rows.get(calls.getAndIncrement() % rows.size());
    }

    private void findByValue() {
        String caption = next().caption;
        claimed.inTransaction(session -> session.createSelectionQuery(
                        "from ClaimedByJvm where caption = :caption", ClaimedByJvm.class)
                .setParameter("caption", caption)
                .getSingleResult());
    }

    private void findById() {
        Long id = next().id;
        claimed.inTransaction(session -> Objects.requireNonNull(session.find(ClaimedByJvm.class, id)));
    }

    @Override
    public void close() {
        claimed.close();
        plain.close();
        databases.close();
    }
}
