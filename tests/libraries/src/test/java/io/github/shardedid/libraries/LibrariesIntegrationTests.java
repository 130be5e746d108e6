package io.github.shardedid.libraries;

import static io.github.shardedid.libraries.RunningLibraries.PG1;
import static io.github.shardedid.libraries.RunningLibraries.PG2;
import static io.github.shardedid.libraries.RunningLibraries.bean;
import static io.github.shardedid.libraries.RunningLibraries.start;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.hibernate.ShardingSettings;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;

/** Each library is configured as its own documentation says; the global database is on pg1, beside shards 0 to 3. */
class LibrariesIntegrationTests {
    private static List<String> global(String sql) {
        return PG1.query(sql.replace("$.", "sharded_global."));
    }

    @BeforeAll
    static void startTheApplication() {
        assertThat(bean(LibrariesApp.class)).isNotNull();
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
    void theTablesOfTheShardsAreValidated() {
        assertThat(bean(EntityManagerFactory.class).getProperties())
                .containsEntry(ShardingSettings.VALIDATE_TABLES, true);
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
