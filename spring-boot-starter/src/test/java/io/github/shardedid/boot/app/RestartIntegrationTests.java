package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.repository.CrudRepository;

/** The application is restarted in one JVM with its classes loaded anew, as Boot's developer tools do it. */
class RestartIntegrationTests {
    private static final String CONSTRAINTS =
            "SELECT conname FROM pg_constraint WHERE conrelid = 'shard_0003.photo'::regclass AND contype = 'c' ORDER BY 1";

    private final TestDatabase pg1 = PostgresServers.shared(1).newDatabase();
    private final TestDatabase pg2 = PostgresServers.shared(2).newDatabase();

    private Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg2"));
        Map.of("pg1", pg1, "pg2", pg2).forEach((name, database) -> {
            String prefix = "sharded-id.databases." + name + ".";
            properties.put(
                    prefix + "url",
                    database.url() + (database.url().contains("?") ? "&" : "?") + "ApplicationName=restarted");
            properties.put(prefix + "username", database.server().username());
            properties.put(prefix + "password", database.server().password());
            properties.put(prefix + "shards", name.equals("pg1") ? "0-3" : "4-7");
        });
        return properties;
    }

    @Test
    void entitiesAreThoseOfTheNewClassesAndNothingOfTheOldOnesIsLeft() throws Exception {
        long first = runAndUse(new RestartedClasses(), 3, List.of());
        assertThat(pg1.query(CONSTRAINTS)).containsExactly("sharded_id_check");
        // As an earlier version has left it, with a reference that no foreign key checks.
        pg1.execute(
                "ALTER TABLE shard_0003.photo DROP CONSTRAINT sharded_id_check, DROP CONSTRAINT photo_author_id_fkey");
        runAndUse(new RestartedClasses(), 6, List.of(first));
        assertThat(pg1.query(CONSTRAINTS)).containsExactly("sharded_id_check", "sharded_id_check_author_id");
    }

    /** Saves a user in a shard, finds that one and those of earlier runs, and stops. */
    private long runAndUse(ClassLoader classes, int shard, List<Long> earlier) throws Exception {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(classes);
        Collection<?> pools;
        long id;
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        classes.loadClass(PhotoSharing.class.getName()))
                .properties(properties())
                .run()) {
            pools = context.getBean(ShardedDatabases.class).byName().values();
            id = use(context, classes, shard, earlier);
        } finally {
            current.setContextClassLoader(before);
        }
        assertThat(pools).hasSize(2).allMatch(pool -> ((HikariDataSource) pool).isClosed());
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread != current && thread.getContextClassLoader() == classes)
                .isEmpty());
        for (TestDatabase database : List.of(pg1, pg2)) {
            await().until(() -> database.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'restarted'"
                            + " AND datname = current_database()")
                    .isEmpty());
        }
        return id;
    }

    @SuppressWarnings("unchecked")
    private static long use(ConfigurableApplicationContext context, ClassLoader classes, int shard, List<Long> earlier)
            throws Exception {
        Class<?> type = classes.loadClass(User.class.getName());
        assertThat(type).isNotSameAs(User.class);
        CrudRepository<Object, Long> users =
                (CrudRepository<Object, Long>) context.getBean(classes.loadClass(UserRepository.class.getName()));
        Object saved = ShardContext.call(shard, () -> {
            try {
                return users.save(type.getConstructor(String.class).newInstance("restarted"));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        long id = (long) type.getMethod("id").invoke(saved);
        assertThat(context.getBean(Cluster.class).shardOf(id)).isEqualTo(shard);
        assertThat(users.findById(id)).containsInstanceOf(type);
        assertThat(earlier).allSatisfy(old -> assertThat(users.findById(old)).containsInstanceOf(type));
        return id;
    }
}
