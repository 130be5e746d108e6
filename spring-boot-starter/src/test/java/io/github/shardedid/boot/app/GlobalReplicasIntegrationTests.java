package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.PrimaryReads;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The database with the global entities, and shards 4 to 7, has a hot standby. */
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GlobalReplicasIntegrationTests {
    private final ReplicatedApp replicated = new ReplicatedApp("pg2");
    private final TestDatabase replica = replicated.replica;
    private final WireTap tap = replicated.tap;
    private final SettingRepository settings = replicated.context.getBean(SettingRepository.class);

    @AfterAll
    void close() {
        replicated.close();
    }

    @BeforeEach
    void catchUp() {
        replicated.catchUp();
    }

    private boolean inRecovery() {
        return ShardContext.callGlobal(() -> ReplicatedApp.inRecovery(replicated.jdbc));
    }

    @Test
    void globalEntitiesAreReadFromTheReplicaInAReadOnlyTransaction() {
        settings.save(new Setting("font", "serif"));
        catchUp();

        assertThat(settings.findById("font")).isPresent();
        assertThat(settings.contentOf("font")).contains("serif");
        assertThat(replicated.inTransaction(true, () -> settings.findByContentOrderByName("serif")))
                .hasSize(1);

        assertThat(tap.frontendMessages())
                .filteredOn(sql -> sql.contains("sharded_global.setting"))
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(replicated.inTransaction(true, this::inRecovery)).isTrue();
    }

    @Test
    void whatMayWriteReadsAndWritesTheDatabaseItself() {
        assertThat(replicated.inTransaction(false, this::inRecovery)).isFalse();
        replicated.inTransaction(false, () -> {
            settings.save(new Setting("size", "small"));
            settings.flush();
            return settings.findByContentOrderByName("small");
        });
        settings.change("size", "large");

        assertThat(tap.frontendMessages()).noneSatisfy(sql -> assertThat(sql).contains("setting"));
        assertThat(replicated.database.query("SELECT content FROM sharded_global.setting WHERE name = 'size'"))
                .containsExactly("large");
    }

    @Test
    void aReadOnlyTransactionOverGlobalAndShardedRowsReadsBothFromTheReplica() {
        User user = ShardContext.call(
                6, () -> replicated.context.getBean(UserRepository.class).save(new User("of 6")));
        settings.save(new Setting("both", "read"));
        catchUp();

        replicated.inTransaction(true, () -> {
            assertThat(replicated.context.getBean(UserRepository.class).findById(user.id()))
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
        assertThatThrownBy(() -> replicated.inTransaction(
                        true,
                        () -> ShardContext.callGlobal(
                                () -> replicated.jdbc.update("INSERT INTO setting VALUES ('refused', 'x')"))))
                .hasStackTraceContaining("in a read-only transaction");
        assertThat(settings.existsById("refused")).isFalse();
    }

    @Test
    void onesOwnWriteIsReadInAScopeBeforeTheReplicaHasIt() {
        replica.query("SELECT pg_wal_replay_pause()");
        settings.save(new Setting("just", "now"));

        assertThat(settings.findById("just")).isEmpty();
        assertThat(PrimaryReads.call(() -> settings.findById("just"))).isPresent();
    }
}
