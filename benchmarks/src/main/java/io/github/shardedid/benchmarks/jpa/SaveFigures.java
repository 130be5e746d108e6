package io.github.shardedid.benchmarks.jpa;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.hibernate.SessionFactory;

/**
 * A thousand entities saved by Hibernate in one transaction, in JDBC batches of 50: into a shard of one of two databases,
 * another one each time, and by plain JPA into a table of a single database.
 */
public final class SaveFigures implements AutoCloseable {
    static final int ENTITIES = 1_000;

    private static final int SHARDS = 8;

    private final ShardedDatabases sharded;
    private final HikariDataSource plainPool;
    private final SessionFactory shardedSessions;
    private final SessionFactory plainSessions;
    private int saves;

    /** Prepares three databases. */
    SaveFigures(Database first, Database second, Database plain) throws Exception {
        sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, SHARDS, first, second);
        plain.execute("CREATE SEQUENCE photo_id_seq INCREMENT BY 50;"
                + " CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text)");
        plainPool = plain.pool("plain");
        shardedSessions = Sessions.of(sharded.dataSource(), SavedByDatabase.class, SavedByJvm.class);
        plainSessions = Sessions.of(plainPool, SavedPlainly.class);
    }

    /** Measures saves. */
    public static void measure(Extent extent, Section section) throws Exception {
        try (SaveFigures saves = new SaveFigures(Database.create(1), Database.create(2), Database.create(1))) {
            saves.save(extent, section);
        }
    }

    private void save(Extent extent, Section section) throws Exception {
        for (int i = 0; i < extent.of(100); i++) {
            saveByDatabase();
            saveByJvm();
            savePlainly();
        }
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("DATABASE", () -> millisOf(this::saveByDatabase));
        ways.put("plain", () -> millisOf(this::savePlainly));
        ways.put("JVM", () -> millisOf(this::saveByJvm));
        ways.put("plain again", () -> millisOf(this::savePlainly));
        Rounds rounds = Rounds.run(extent.rounds(150), ways);
        section.ratio("1,000 entities saved, strategy `JVM`, ÷ plain JPA", 1.0, rounds, "JVM", "plain again", "ms");
        section.ratio("1,000 entities saved, strategy `DATABASE`, ÷ plain JPA", 1.0, rounds, "DATABASE", "plain", "ms");
        section.raw("1,000 entities saved, ms", rounds);
    }

    private static double millisOf(Runnable save) {
        long start = System.nanoTime();
        save.run();
        return (System.nanoTime() - start) / 1e6;
    }

    /** Saves a thousand into the next shard. */
    void saveByDatabase() {
        save(shardedSessions, userId -> new SavedByDatabase(userId, "a caption"));
    }

    /** Saves a thousand into the next shard. */
    void saveByJvm() {
        save(shardedSessions, userId -> new SavedByJvm(userId, "a caption"));
    }

    /** Saves a thousand into the only table. */
    void savePlainly() {
        save(plainSessions, userId -> new SavedPlainly(userId, "a caption"));
    }

    private void save(SessionFactory sessions, LongFunction<Object> entity) {
        long shard = saves++ % SHARDS;
        sessions.inTransaction(session -> {
            for (int i = 0; i < ENTITIES; i++) {
                session.persist(entity.apply(shard + (long) SHARDS * i));
            }
        });
    }

    SessionFactory shardedSessions() {
        return shardedSessions;
    }

    SessionFactory plainSessions() {
        return plainSessions;
    }

    @Override
    public void close() {
        shardedSessions.close();
        plainSessions.close();
        plainPool.close();
        sharded.close();
    }
}
