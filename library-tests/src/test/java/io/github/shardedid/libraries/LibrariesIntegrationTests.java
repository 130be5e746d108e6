package io.github.shardedid.libraries;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;

/** Each library is configured as its own documentation says; the global database is on pg1, beside shards 0 to 3. */
class LibrariesIntegrationTests {
    private static final TestDatabase PG1 = PostgresServers.shared(1).newDatabase();
    private static final TestDatabase PG2 = PostgresServers.shared(2).newDatabase();
    private static @Nullable ConfigurableApplicationContext context;

    private static Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "spring.quartz.job-store-type", "jdbc",
                "spring.quartz.jdbc.initialize-schema", "always",
                "spring.batch.jdbc.initialize-schema", "always",
                "spring.session.jdbc.initialize-schema", "always",
                "spring.liquibase.change-log", "classpath:db/changelog/master.sql",
                "spring.sql.init.mode", "always",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg1"));
        properties.put("sharded-id.global.migrations", "");
        properties.put(
                "spring.quartz.properties.org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
        properties.put("sharded-id.epoch", "2024-01-01T00:00:00Z");
        List<TestDatabase> databases = List.of(PG1, PG2);
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.put(prefix + "url", database.url());
            properties.put(prefix + "username", database.server().username());
            properties.put(prefix + "password", database.server().password());
            properties.put(prefix + "shards", i == 0 ? "0-3" : "4-7");
        }
        return properties;
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(LibrariesApp.class)
                .properties(properties())
                .run(arguments);
    }

    @BeforeAll
    static void startTheApplication() {
        context = start();
    }

    @AfterAll
    static void stopTheApplication() {
        if (context != null) {
            context.close();
        }
    }

    private static <T> T bean(Class<T> type) {
        return requireNonNull(context).getBean(type);
    }

    private static List<String> global(String sql) {
        return PG1.query(sql.replace("$.", "sharded_global."));
    }

    @Test
    void batchWritesToAShardAndKeepsItsJobsInTheGlobalDatabase() {
        assertThat(global("SELECT status FROM $.batch_job_execution")).containsExactly("COMPLETED");
        assertThat(PG2.query("SELECT words FROM shard_0006.note")).containsExactly("by Batch");
    }

    @Test
    void quartzKeepsItsTriggersThere() {
        assertThat(global("SELECT job_name FROM $.qrtz_job_details")).containsExactly("reminder");
        await().untilAsserted(() ->
                assertThat(PG1.query("SELECT words FROM shard_0002.note")).containsExactly("by Quartz"));
    }

    @SuppressWarnings("unchecked")
    @Test
    void sessionsAreKeptThere() {
        SessionRepository<Session> sessions = bean(SessionRepository.class);
        Session session = sessions.createSession();
        session.setAttribute("cart", "3 books");
        sessions.save(session);

        assertThat(global("SELECT attribute_name FROM $.spring_session_attributes"))
                .containsExactly("cart");
        assertThat(requireNonNull(sessions.findById(session.getId())).<String>getAttribute("cart"))
                .isEqualTo("3 books");
    }

    @Test
    void liquibaseMigratesItsSchema() {
        assertThat(global("SELECT id FROM $.databasechangelog")).containsExactly("1");
    }

    @Test
    void shedLockLocksThere() {
        LockProvider locks = bean(LockProvider.class);
        LockConfiguration nightly =
                new LockConfiguration(Instant.now(), "nightly", Duration.ofMinutes(1), Duration.ZERO);
        assertThat(locks.lock(nightly)).isPresent();
        assertThat(locks.lock(nightly)).isEmpty();
        assertThat(global("SELECT name FROM $.shedlock")).containsExactly("nightly");
    }

    @Test
    void scriptsOfBootRunThere() {
        assertThat(global("SELECT count(*) FROM $.country")).containsExactly("0");
    }

    @Test
    void aSecondInstanceStartsBesideTheirTables() {
        // The job has been completed, and Quartz's script would drop the tables.
        try (ConfigurableApplicationContext second =
                start("--spring.batch.job.enabled=false", "--spring.quartz.jdbc.initialize-schema=never")) {
            assertThat(second.isActive()).isTrue();
        }
    }
}
