package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.routing.PrimaryReads;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.WireTap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** Shards 0 to 3 on a database with a hot standby that streams from it, 4 to 7 on one without. */
@Tag("slow")
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadReplicasIntegrationTests {
    private final ReplicatedApp replicated = new ReplicatedApp("pg1");
    private final RunningApp app = replicated.app;
    private final WireTap tap = replicated.tap;
    private final UserRepository users = replicated.context.getBean(UserRepository.class);

    private static String replica(String url) {
        return "sharded-id.databases.pg1.replicas[0].url=" + url;
    }

    @AfterAll
    void close() {
        replicated.close();
    }

    @BeforeEach
    void catchUp() {
        replicated.catchUp();
    }

    private boolean inRecovery(int shard) {
        return ShardContext.call(shard, () -> ReplicatedApp.inRecovery(replicated.jdbc));
    }

    private User saved(int shard) {
        User user = ShardContext.call(shard, () -> users.save(new User("of " + shard)));
        catchUp();
        return user;
    }

    @Test
    void readOnlyTransactionsReadFromTheReplicaAndOthersDoNot() {
        assertThat(replicated.inTransaction(true, () -> inRecovery(1))).isTrue();
        assertThat(replicated.inTransaction(false, () -> inRecovery(1))).isFalse();
        assertThat(replicated.inTransaction(true, () -> inRecovery(6))).isFalse();
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

        replicated.inTransaction(false, () -> {
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
        replicated.replica.query("SELECT pg_wal_replay_pause()");
        User user = ShardContext.call(0, () -> users.save(new User("just now")));

        assertThat(users.findById(user.id())).isEmpty();
        assertThat(PrimaryReads.call(() -> users.findById(user.id()))).isPresent();
    }

    @Test
    void queriesOverAllShardsReadFromTheReplicaInAReadOnlyTransaction() {
        PhotosEverywhere everywhere = replicated.context.getBean(PhotosEverywhere.class);

        replicated.inTransaction(true, () -> everywhere.countByCaption("none has this"));
        assertThat(tap.frontendMessages())
                .anySatisfy(sql -> assertThat(sql).contains("shard_0000.photo", "shard_0003.photo"));

        tap.reset();
        replicated.inTransaction(false, () -> everywhere.countByCaption("none has this"));
        assertThat(tap.frontendMessages()).isEmpty();
    }

    @Test
    void anApplicationWithAReplicaOfSomethingElseDoesNotStart() {
        assertThatThrownBy(() -> app.start(replica(replicated.database.url())))
                .hasRootCauseInstanceOf(ClusterConfigurationException.class)
                .rootCause()
                .hasMessageContainingAll("Replica 0 of database pg1", "not in recovery");
    }

    @Test
    void anApplicationWhoseReplicaIsDownStartsAndReadsFromTheDatabaseItself() {
        User user = saved(1);
        try (ConfigurableApplicationContext other = app.start(
                replica("jdbc:postgresql://localhost:1/" + replicated.replica.name()),
                "sharded-id.databases.pg1.replicas[0].hikari.connection-timeout=250")) {
            assertThat(other.getBean(UserRepository.class).findById(user.id())).isPresent();
        }
    }
}
