package io.github.shardedid.benchmarks.query;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.jpa.SavedByDatabase;
import io.github.shardedid.benchmarks.jpa.SavedPlainly;
import io.github.shardedid.benchmarks.jpa.Sessions;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * Queries over several shards by Hibernate: the newest rows of all shards, and rows by a hundred ids of twenty of them.
 * The shards of two databases on one side, a single table with as many rows on the other.
 */
public final class QueryFigures implements AutoCloseable {
    private static final double MANY_GOAL = 50;
    private static final int FEW_SHARDS = 64;
    private static final double FEW_GOAL = 6;
    private static final int NEWEST = 20;
    private static final int IDS = 100;
    private static final int SHARDS_OF_IDS = 20;
    private static final int SEED = 20;
    private static final int SHARDS_PER_TRANSACTION = 100;

    private final int shardCount;
    private final int rowsPerShard;
    private final ShardedDatabases sharded;
    private final HikariDataSource plainPool;
    private final SessionFactory shardedSessions;
    private final SessionFactory plainSessions;
    private final Random random = new Random(SEED);

    /** Prepares three databases. */
    QueryFigures(int shardCount, int rowsPerShard, Database first, Database second, Database single) throws Exception {
        this.shardCount = shardCount;
        this.rowsPerShard = rowsPerShard;
        sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, shardCount, first, second);
        fill(first, 0, shardCount / 2);
        fill(second, shardCount / 2, shardCount);
        single.execute("CREATE SEQUENCE photo_id_seq INCREMENT BY 50;"
                + " CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text);"
                + " INSERT INTO photo SELECT n, n, 'photo ' || n FROM generate_series(1, "
                + (long) shardCount * rowsPerShard + ") n; ANALYZE photo");
        plainPool = single.pool("plain");
        shardedSessions = Sessions.of(sharded.dataSource(), SavedByDatabase.class);
        plainSessions = Sessions.of(plainPool, SavedPlainly.class);
    }

    private void fill(Database database, int from, int to) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int shard = from; shard < to; shard++) {
                String schema = ShardSchema.nameOf(shard);
                statement.execute("SET LOCAL search_path = " + schema + "; INSERT INTO photo (user_id, caption) SELECT "
                        + shard + ", 'photo ' || n FROM generate_series(1, " + rowsPerShard + ") n; ANALYZE photo");
                if (shard % SHARDS_PER_TRANSACTION == 0) {
                    connection.commit();
                }
            }
            connection.commit();
        }
    }

    /** Measures queries over few and over many shards. */
    public static void measure(Extent extent, Section section) throws Exception {
        measure(extent, Math.min(extent.shards(), FEW_SHARDS), FEW_GOAL, section);
        measure(extent, extent.shards(), MANY_GOAL, section);
    }

    private static void measure(Extent extent, int shards, double goal, Section section) throws Exception {
        try (QueryFigures queries = new QueryFigures(
                shards, extent.of(1_000), Database.create(1), Database.create(2), Database.create(1))) {
            queries.measureNewest(extent, section, goal);
            queries.measureByIds(extent, section);
        }
    }

    private void measureNewest(Extent extent, Section section, double goal) throws Exception {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("shards", () -> Timed.micros(extent.of(10), this::newestOfShards));
        ways.put("table", () -> Timed.micros(extent.of(100), this::newestOfTable));
        Rounds rounds = Rounds.run(extent.rounds(40), ways);
        String what = "newest " + NEWEST + " of " + shardCount + " shards × " + rowsPerShard + " rows";
        section.ratio(what + " ÷ one table", goal, rounds, "shards", "table", "µs");
        section.raw(what + ", µs", rounds);
    }

    private void measureByIds(Extent extent, Section section) throws Exception {
        List<List<Long>> shardedIds = new ArrayList<>();
        List<List<Long>> plainIds = new ArrayList<>();
        for (int i = 0; i < extent.of(50); i++) {
            shardedIds.add(idsOfShards());
            plainIds.add(plainIds());
        }
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("shards", () -> microsOfIds(shardedIds, this::byIdsOfShards));
        ways.put("table", () -> microsOfIds(plainIds, this::byIdsOfTable));
        Rounds rounds = Rounds.run(extent.rounds(40), ways);
        String what = "rows by " + IDS + " ids of " + Math.min(SHARDS_OF_IDS, shardCount) + " shards";
        section.ratio(what + " ÷ one table", 3.0, rounds, "shards", "table", "µs");
        section.raw(what + ", µs", rounds);
    }

    private List<Long> idsOfShards() {
        List<Long> ids = new ArrayList<>();
        int shards = Math.min(SHARDS_OF_IDS, shardCount);
        int start = random.nextInt(shardCount);
        for (int i = 0; i < shards; i++) {
            int shard = (start + i * shardCount / shards) % shardCount;
            List<Long> known = ShardContext.call(
                    shard,
                    () -> shardedSessions.fromSession(
                            session -> session.createSelectionQuery("select p.id from SavedByDatabase p", Long.class)
                                    .setMaxResults(IDS / shards)
                                    .list()));
            ids.addAll(known);
        }
        return ids;
    }

    private List<Long> plainIds() {
        long rows = (long) shardCount * rowsPerShard;
        return random.longs(IDS, 1, rows + 1).boxed().collect(Collectors.toList());
    }

    /** Loads the newest rows of all shards. */
    void newestOfShards() {
        ShardContext.run(ShardSet.all(), () -> newest(shardedSessions, SavedByDatabase.class));
    }

    /** Loads the newest rows of the single table. */
    void newestOfTable() {
        newest(plainSessions, SavedPlainly.class);
    }

    private <T> void newest(SessionFactory sessions, Class<T> entity) {
        try (Session session = sessions.openSession()) {
            require(
                    NEWEST,
                    session.createSelectionQuery("from " + entity.getSimpleName() + " p order by p.id desc", entity)
                            .setMaxResults(NEWEST)
                            .list());
        }
    }

    /** Loads the rows of ids, in whatever shards they are, as the repositories' {@code findAllById} does. */
    void byIdsOfShards(List<Long> ids) {
        ShardSet shards =
                ShardSet.of(ids.stream().map(IdLayout.DEFAULT::shardOf).collect(Collectors.toSet()));
        ShardContext.run(shards, () -> byIds(shardedSessions, SavedByDatabase.class, ids));
    }

    /** Loads the rows of ids from the single table. */
    void byIdsOfTable(List<Long> ids) {
        byIds(plainSessions, SavedPlainly.class, ids);
    }

    private <T> void byIds(SessionFactory sessions, Class<T> entity, List<Long> ids) {
        try (Session session = sessions.openSession()) {
            List<T> found = session.createSelectionQuery(
                            "from " + entity.getSimpleName() + " p where p.id in (:ids)", entity)
                    .setParameterList("ids", ids)
                    .list();
            require((int) ids.stream().distinct().count(), found);
        }
    }

    private void require(int expected, List<?> found) {
        if (found.size() != Math.min(expected, (long) shardCount * rowsPerShard)) {
            throw new IllegalStateException(found.size() + " rows were found, not " + expected);
        }
    }

    private static double microsOfIds(List<List<Long>> ids, Consumer<List<Long>> call) {
        long start = System.nanoTime();
        ids.forEach(call);
        return (System.nanoTime() - start) / 1e3 / ids.size();
    }

    @Override
    public void close() {
        shardedSessions.close();
        plainSessions.close();
        plainPool.close();
        sharded.close();
    }
}
