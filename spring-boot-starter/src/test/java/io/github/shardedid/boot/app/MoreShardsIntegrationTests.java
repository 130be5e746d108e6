package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An instance with eight shards goes on while one with twelve joins it. PostgreSQL tells in which schema a row is, and which shard
 * {@code shard_of_key} had for a key before.
 */
@Tag("quick")
class MoreShardsIntegrationTests {
    private static final RunningApp OLD = RunningApp.on(PostgresServers.shared(1), PostgresServers.shared(2));
    private static final String[] TWELVE = {"spring.config.additional-location=classpath:documented/more-shards.yaml"};

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<Long, Integer> shardOfVisitor = new TreeMap<>();

    @AfterAll
    static void close() {
        OLD.close();
    }

    @Test
    void oldAndNewInstancesWorkSideBySide() throws Exception {
        List<Visit> visits = new ArrayList<>(visits(OLD.context));
        try (ConfigurableApplicationContext added = OLD.start(TWELVE)) {
            visits.addAll(visits(added));
            visits.addAll(visits(OLD.context));
            visits.forEach(visit -> {
                assertThat(schemasOf("visit", visit.id()))
                        .as("visitor " + visit.visitor + ", seed " + seed)
                        .containsExactly(ShardSchema.nameOf(shardOfVisitor.getOrDefault(visit.visitor, -1)));
                for (ConfigurableApplicationContext each : List.of(OLD.context, added)) {
                    assertThat(each.getBean(VisitRepository.class).findByVisitor(visit.visitor))
                            .extracting(Visit::id)
                            .contains(visit.id());
                }
            });

            awaitShards(added);
            assertThat(List.of(homeOf(added, 9), homeOf(added, 10))).containsExactly("pg1", "pg2");
            open(added);
            List<User> roots = Stream.generate(() -> new User("root"))
                    .limit(60)
                    .map(added.getBean(UserRepository.class)::save)
                    .toList();
            assertThat(roots).anyMatch(user -> OLD.cluster().layout().shardOf(user.id()) >= 8);
            roots.forEach(user -> assertBothFind(added, user));
            awaitShards(OLD.context);
            roots.forEach(user -> added.getBean(PhotoRepository.class).save(new Photo(user, "of a root")));
            assertThat(photos(OLD.context)).isEqualTo(roots.size()).isEqualTo(rows("photo"));
            assertThat(photos(added)).isEqualTo(roots.size());

            move(added, 9, "pg2");
            move(added, 2, "pg2");
            assertThat(photos(OLD.context)).isEqualTo(roots.size());
            roots.forEach(user -> assertBothFind(added, user));
            visits.addAll(visits(added));
        }
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> OLD.start().close())
                .withStackTraceContaining("shards is 12 there, but configured as 8");
    }

    /** The map of the old instance may not be notified: it asks when it meets the id. */
    private static void assertBothFind(ConfigurableApplicationContext added, User user) {
        for (ConfigurableApplicationContext each : List.of(OLD.context, added)) {
            assertThat(each.getBean(UserRepository.class).findById(user.id()))
                    .as("user in shard " + OLD.cluster().layout().shardOf(user.id()))
                    .isPresent();
            user.setName("changed " + user.id());
            each.getBean(UserRepository.class).save(user);
        }
        assertThat(schemasOf("app_user", user.id()))
                .containsExactly(ShardSchema.nameOf(OLD.cluster().layout().shardOf(user.id())));
    }

    private static void awaitShards(ConfigurableApplicationContext instance) {
        CurrentShardMap map = instance.getBean(CurrentShardMap.class);
        await().until(() -> map.refreshSince(map.nanoTime()).shardCount() == 12);
    }

    /** As if two minutes had passed. */
    private static void open(ConfigurableApplicationContext instance) {
        OLD.databases.forEach(
                database -> database.execute("UPDATE sharded_id.cluster SET grown = grown - interval '121 seconds'"));
        CurrentShardMap map = instance.getBean(CurrentShardMap.class);
        assertThat(map.refreshSince(map.nanoTime()).forNewRows().shardCount()).isEqualTo(12);
    }

    private static String homeOf(ConfigurableApplicationContext instance, int shard) {
        return instance.getBean(Cluster.class).map().get().databaseOf(shard);
    }

    private List<Visit> visits(ConfigurableApplicationContext instance) {
        return random.longs(10, 0, Integer.MAX_VALUE)
                .mapToObj(visitor -> {
                    shardOfVisitor.put(visitor, (int) (visitor % 8));
                    return instance.getBean(VisitRepository.class).save(new Visit(visitor, "/"));
                })
                .toList();
    }

    private static void move(ConfigurableApplicationContext instance, int shard, String database) throws Exception {
        ConfiguredCluster cluster = ConfiguredCluster.of(instance.getEnvironment());
        try (ShardedDatabases pools = cluster.openPools()) {
            cluster.mover(pools, instance.getBean(ShardMigrations.class), List.of())
                    .move(shard, database);
        }
        CurrentShardMap map = instance.getBean(CurrentShardMap.class);
        map.refreshSince(map.nanoTime());
        assertThat(homeOf(instance, shard)).isEqualTo(database);
    }

    private static long photos(ConfigurableApplicationContext instance) {
        return instance.getBean(PhotosEverywhere.class).count();
    }

    private static long rows(String table) {
        return OLD.databases.stream()
                .mapToLong(database -> schemas(database, table).stream()
                        .mapToLong(schema -> database.queryLong("SELECT count(*) FROM " + schema + "." + table))
                        .sum())
                .sum();
    }

    private static List<String> schemas(TestDatabase database, String table) {
        return database.query(
                "SELECT schemaname FROM pg_tables WHERE tablename = '" + table + "' AND schemaname ~ '^shard_[0-9]+$'");
    }

    private static List<String> schemasOf(String table, long id) {
        List<String> found = new ArrayList<>();
        OLD.databases.forEach(database -> schemas(database, table).stream()
                .filter(schema ->
                        database.queryLong("SELECT count(*) FROM " + schema + "." + table + " WHERE id = " + id) == 1)
                .forEach(found::add));
        return found;
    }
}
