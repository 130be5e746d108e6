package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ReadsFrom;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The database with the global entities, and shards 4 to 7, has a hot standby. */
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GlobalReplicasIntegrationTests {
    private static final String IN_RECOVERY = "SELECT pg_is_in_recovery()";

    private final PostgresServer server = PostgresServers.start();
    private final RunningApp app = RunningApp.on(PostgresServers.shared(1), server);
    private final PostgresServer standby = PostgresServers.standbyOf(server);
    private final WireTap tap = new WireTap(standby.port());
    private final TestDatabase replica =
            new TestDatabase(standby, app.databases.get(1).name());
    private final ConfigurableApplicationContext context =
            app.start("sharded-id.databases.pg2.replicas[0].url=" + tap.url(replica.name()));
    private final SettingRepository settings = context.getBean(SettingRepository.class);
    private final JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));

    @AfterAll
    void close() {
        context.close();
        app.close();
        tap.close();
        standby.close();
        server.close();
    }

    @BeforeEach
    void catchUp() {
        replica.query("SELECT pg_wal_replay_resume()");
        String now = app.databases.get(1).query("SELECT pg_current_wal_lsn()").get(0);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> replica.query(
                        "SELECT pg_last_wal_replay_lsn() >= '" + now + "'")
                .contains("t"));
        tap.reset();
    }

    private <T extends @Nullable Object> T inTransaction(boolean readOnly, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setReadOnly(readOnly);
        return template.execute(status -> work.get());
    }

    private @Nullable Boolean inRecovery() {
        return ShardContext.callGlobal(() -> jdbc.queryForObject(IN_RECOVERY, Boolean.class));
    }

    @Test
    void globalEntitiesAreReadFromTheReplicaInAReadOnlyTransaction() {
        settings.save(new Setting("font", "serif"));
        catchUp();

        assertThat(settings.findById("font")).isPresent();
        assertThat(settings.contentOf("font")).contains("serif");
        assertThat(inTransaction(true, () -> settings.findByContentOrderByName("serif")))
                .hasSize(1);

        assertThat(tap.frontendMessages())
                .filteredOn(sql -> sql.contains("sharded_global.setting"))
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(inTransaction(true, this::inRecovery)).isTrue();
    }

    @Test
    void whatMayWriteReadsAndWritesTheDatabaseItself() {
        assertThat(inTransaction(false, this::inRecovery)).isFalse();
        inTransaction(false, () -> {
            settings.save(new Setting("size", "small"));
            settings.flush();
            return settings.findByContentOrderByName("small");
        });
        settings.change("size", "large");

        assertThat(tap.frontendMessages()).noneSatisfy(sql -> assertThat(sql).contains("setting"));
        assertThat(app.databases.get(1).query("SELECT content FROM sharded_global.setting WHERE name = 'size'"))
                .containsExactly("large");
    }

    @Test
    void aReadOnlyTransactionOverGlobalAndShardedRowsReadsBothFromTheReplica() {
        User user =
                ShardContext.call(6, () -> context.getBean(UserRepository.class).save(new User("of 6")));
        settings.save(new Setting("both", "read"));
        catchUp();

        inTransaction(true, () -> {
            assertThat(context.getBean(UserRepository.class).findById(user.id()))
                    .isPresent();
            assertThat(settings.findById("both")).isPresent();
            return null;
        });

        assertThat(tap.frontendMessages())
                .anySatisfy(sql -> assertThat(sql).contains("shard_0006.app_user"))
                .anySatisfy(sql -> assertThat(sql).contains("sharded_global.setting"));
    }

    @Test
    void aReadOnlyTransactionDoesNotWriteGlobalRows() {
        assertThatThrownBy(() -> inTransaction(
                        true,
                        () -> ShardContext.callGlobal(
                                () -> jdbc.update("INSERT INTO setting VALUES ('refused', 'x')"))))
                .hasStackTraceContaining("in a read-only transaction");
        assertThat(settings.existsById("refused")).isFalse();
    }

    @Test
    void onesOwnWriteIsReadInAScopeBeforeTheReplicaHasIt() {
        replica.query("SELECT pg_wal_replay_pause()");
        settings.save(new Setting("just", "now"));

        assertThat(settings.findById("just")).isEmpty();
        assertThat(ReadsFrom.PRIMARY.call(() -> settings.findById("just"))).isPresent();
    }
}
