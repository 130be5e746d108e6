package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.waiting.Waits;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Saves and changes of one client and of many, beside plain JPA: two pools of ten connections on one side, one of twenty on the
 * other.
 */
public final class WaitedCalls {
    private static final String PLAIN = "plain JPA on one database";
    private static final int SHARDS = 8;
    private static final int ROWS = 16_000;
    private static final int CONNECTIONS = 10;
    private static final int MANY = 100;
    private static final int CLIENTS = 32;
    private static final int THREADS = 200;

    private final ScaledShards shards;
    private final PlainTable table;
    private final AtomicInteger calls = new AtomicInteger();

    private WaitedCalls(ScaledShards shards, PlainTable table) {
        this.shards = shards;
        this.table = table;
    }

    /** Compares them. */
    public static void measure(Waits waits, Database first, Database second, Database single) throws Exception {
        try (ScaledShards shards = new ScaledShards(SHARDS, ROWS, first, second);
                PlainTable table = new PlainTable(ROWS, 2 * CONNECTIONS, single)) {
            shards.resizePools(CONNECTIONS);
            new WaitedCalls(shards, table).compare(waits);
        }
    }

    private void compare(Waits waits) throws Exception {
        waits.compare("save, id of the JVM", PLAIN, 0.6, this::saveByJvm, table::save);
        waits.compare("save, id of the database", PLAIN, null, this::saveByDatabase, table::save);
        waits.compare("find by id and update", PLAIN, 0.75, this::update, this::updatePlainly);
        waits.compare(
                "save of " + MANY + " in one transaction",
                PLAIN,
                1.0,
                1,
                20,
                () -> shards.saveByJvm(shard(), MANY),
                () -> table.save(MANY));
        waits.compare(
                CLIENTS + " clients that save", PLAIN, 1.05, CLIENTS, 100 * CLIENTS, this::saveByJvm, table::save);
        waits.compare(
                THREADS + " threads: find two, update one",
                PLAIN,
                1.05,
                THREADS,
                10 * THREADS,
                shards::updateAny,
                table::updateAny);
    }

    private int shard() {
        return calls.getAndIncrement() % SHARDS;
    }

    private void saveByJvm() {
        shards.saveByJvm(shard());
    }

    private void saveByDatabase() {
        shards.saveByDatabase(shard());
    }

    private void update() {
        long id = shards.ids().get(ThreadLocalRandom.current().nextInt(ROWS));
        shards.sessions()
                .inTransaction(session ->
                        ScaledShards.find(session, id).caption = "changed by call " + calls.getAndIncrement());
    }

    private void updatePlainly() {
        long id = 1L + ThreadLocalRandom.current().nextInt(ROWS);
        table.sessions()
                .inTransaction(
                        session -> PlainTable.find(session, id).caption = "changed by call " + calls.getAndIncrement());
    }
}
