package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ReadsFrom;
import io.github.shardedid.routing.ReplicaMismatchException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Shards 0 to 3 on a database with a hot standby that streams from it, 4 to 7 on one without. */
@Tag("slow")
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadReplicasIntegrationTests {
    private static final String IN_RECOVERY = "SELECT pg_is_in_recovery()";

    private final PostgresServer server = PostgresServers.start();
    private final RunningApp app = RunningApp.on(server, PostgresServers.shared(2));
    private final PostgresServer standby = PostgresServers.standbyOf(server);
    private final WireTap tap = new WireTap(standby.port());
    private final ConfigurableApplicationContext context = app.start(replica(tap.url(database())));
    private final UserRepository users = context.getBean(UserRepository.class);
    private final JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));

    private String database() {
        return app.databases.get(0).name();
    }

    private static String replica(String url) {
        return "sharded-id.databases.pg1.replicas[0].url=" + url;
    }

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
        TestDatabase replica = new TestDatabase(standby, database());
        replica.query("SELECT pg_wal_replay_resume()");
        String now = app.databases.get(0).query("SELECT pg_current_wal_lsn()").get(0);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> replica.query(
                        "SELECT pg_last_wal_replay_lsn() >= '" + now + "'")
                .contains("t"));
        tap.reset();
    }

    private <T> T inTransaction(boolean readOnly, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setReadOnly(readOnly);
        return template.execute(status -> work.get());
    }

    private Boolean inRecovery(int shard) {
        return ShardContext.call(shard, () -> jdbc.queryForObject(IN_RECOVERY, Boolean.class));
    }

    private User saved(int shard) {
        User user = ShardContext.call(shard, () -> users.save(new User("of " + shard)));
        catchUp();
        return user;
    }

    @Test
    void readOnlyTransactionsReadFromTheReplicaAndOthersDoNot() {
        assertThat(inTransaction(true, () -> inRecovery(1))).isTrue();
        assertThat(inTransaction(false, () -> inRecovery(1))).isFalse();
        assertThat(inTransaction(true, () -> inRecovery(6))).isFalse();
        assertThat(inRecovery(1)).isFalse();
    }

    @Test
    void aRepositorysOwnReadOnlyTransactionsDoToo() {
        User user = saved(2);

        assertThat(users.findById(user.id())).isPresent();

        assertThat(tap.frontendMessages()).anySatisfy(sql -> assertThat(sql).contains("shard_0002.app_user"));
    }

    @Test
    void lazyAssociationsAndFindsOfATransactionThatWritesComeFromTheDatabaseItself() {
        User user = saved(3);

        inTransaction(false, () -> {
            User found = users.findById(user.id()).orElseThrow();
            found.setName("renamed");
            return found;
        });

        assertThat(tap.frontendMessages()).noneSatisfy(sql -> assertThat(sql).contains("app_user"));
        assertThat(app.query(3, "SELECT name FROM $.app_user WHERE id = " + user.id()))
                .containsExactly("renamed");
    }

    @Test
    void aScopeReadsOnesOwnWriteBeforeTheReplicaHasIt() {
        new TestDatabase(standby, database()).query("SELECT pg_wal_replay_pause()");
        User user = ShardContext.call(0, () -> users.save(new User("just now")));

        assertThat(users.findById(user.id())).isEmpty();
        assertThat(ReadsFrom.PRIMARY.call(() -> users.findById(user.id()))).isPresent();
    }

    @Test
    void queriesOverAllShardsReadFromTheReplicaInAReadOnlyTransaction() {
        PhotosEverywhere everywhere = context.getBean(PhotosEverywhere.class);

        inTransaction(true, () -> everywhere.countByCaption("none has this"));
        assertThat(tap.frontendMessages())
                .anySatisfy(sql -> assertThat(sql).contains("shard_0000.photo", "shard_0003.photo"));

        tap.reset();
        inTransaction(false, () -> everywhere.countByCaption("none has this"));
        assertThat(tap.frontendMessages()).isEmpty();
    }

    @Test
    void replicasCanBeSwitchedOff() {
        try (ConfigurableApplicationContext off =
                app.start(replica(tap.url(database())), "sharded-id.replicas.for-read-only=false")) {
            JdbcTemplate template = new JdbcTemplate(off.getBean(DataSource.class));
            TransactionTemplate transaction = new TransactionTemplate(off.getBean(PlatformTransactionManager.class));
            transaction.setReadOnly(true);
            Boolean inRecovery = transaction.execute(
                    status -> ShardContext.call(1, () -> template.queryForObject(IN_RECOVERY, Boolean.class)));
            assertThat(inRecovery).isFalse();
        }
    }

    @Test
    void anApplicationWithAReplicaOfSomethingElseDoesNotStart() {
        assertThatThrownBy(() -> app.start(replica(app.databases.get(0).url())))
                .hasRootCauseInstanceOf(ReplicaMismatchException.class)
                .rootCause()
                .hasMessageContainingAll("sharded-id.databases.pg1.replicas[0]", "not in recovery");
    }

    @Test
    void anApplicationWhoseReplicaIsDownStartsAndReadsFromTheDatabaseItself() {
        User user = saved(1);
        try (ConfigurableApplicationContext other = app.start(replica("jdbc:postgresql://localhost:1/" + database()))) {
            assertThat(other.getBean(UserRepository.class).findById(user.id())).isPresent();
        }
    }
}
