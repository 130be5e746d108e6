package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Many shards, several connections, other instances, moves that are under way, databases that join. */
@Tag("slow")
class ManyShardsIntegrationTests {
    private static final String MANY = "classpath:db/provisioning/many";
    private static final int SHARDS = Boolean.getBoolean("sharded-id.test.longer") ? 2000 : 60;

    @Test
    void manyShardsAreMadeAndMigratedWithProgress() {
        TestCluster cluster = new TestCluster(IdLayout.DEFAULT, SHARDS, new TreeMap<>(), new LinkedHashMap<>())
                .with("pg1", PostgresServers.shared(1).newDatabase(), "0-" + (SHARDS / 2 - 1))
                .with("pg2", PostgresServers.shared(2).newDatabase(), SHARDS / 2 + "-" + (SHARDS - 1));
        ProvisioningOptions options = new ProvisioningOptions(true, Map.of(), ClusterRoles.NONE);

        ShardMigrations migrations = ShardMigrations.at(MANY).withReplay(true);
        Logger logger = (Logger) LoggerFactory.getLogger("io.github.shardedid.provisioning.internal.DatabaseWork");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        Provisioner provisioner =
                new Provisioner(cluster.definition(), cluster.sources(), migrations).withOptions(options);
        try {
            provisioner.provision();
            for (String database : List.of("pg1", "pg2")) {
                for (String work : List.of("schemas created", "shards migrated")) {
                    String line = "Database " + database + ": " + SHARDS / 2 + " of " + SHARDS / 2 + " " + work;
                    assertThat(log.list)
                            .filteredOn(event -> event.getFormattedMessage().startsWith(line))
                            .hasSize(1);
                }
            }
            log.list.clear();
            provisioner.provision();
            assertThat(log.list).isEmpty();
        } finally {
            logger.detachAppender(log);
        }

        DriftReport report = cluster.provisioner(cluster.sources(), MANY).drift();
        assertThat(report.inOrder()).isTrue();
        assertThat(report.shards()).hasSize(SHARDS);
    }

    @Test
    void aPoolOfOneConnectionIsEnough() {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 20);
        HikariConfig config = new HikariConfig();
        config.setDataSource(cluster.database("pg1").dataSource());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            cluster.provisioner(Map.of("pg1", pool), MANY).provision();

            assertThat(cluster.provisioner(Map.of("pg1", pool), MANY).drift().inOrder())
                    .isTrue();
        }
    }

    @Test
    void otherDatabasesAreCompletedWhenAScriptFails() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);
        cluster.database("pg1").execute("ALTER TABLE shard_0000.photo ADD COLUMN likes text");

        assertThatThrownBy(() -> cluster.provision(TestCluster.LATER))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("shard 0 of database pg1");

        DriftReport report =
                cluster.provisioner(cluster.sources(), TestCluster.LATER).drift();
        assertThat(report.shards().stream().filter(shard -> shard.database().equals("pg2")))
                .allMatch(ShardStatus::upToDate);
    }

    @Test
    void shardsThatAreBeingMovedAreLeftAloneAndNamedAtTheEnd() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);
        TestDatabase pg1 = cluster.database("pg1");
        pg1.execute("UPDATE sharded_id.shard SET state = 'MOVING' WHERE shard = 1;"
                + "UPDATE sharded_id.shard SET state = 'FENCING' WHERE shard = 2");
        cluster.database("pg2")
                .execute("INSERT INTO sharded_id.shard (shard, generation, state) VALUES (1, 2, 'RECEIVING');"
                        + "INSERT INTO sharded_id.shard (shard, generation, state) VALUES (0, 1, 'MOVED')");

        cluster.provision(TestCluster.GOOD);
        assertThatThrownBy(() -> cluster.provision(TestCluster.LATER))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MOVING_SHARDS)
                .hasMessageContaining("database pg1")
                .hasMessageContaining("1-2")
                .hasMessageContaining("Finish the moves or abort them");

        assertThat(pg1.query("SELECT likes FROM shard_0003.photo")).isEmpty();
        assertThat(cluster.database("pg2").query("SELECT likes FROM shard_0005.photo"))
                .isEmpty();
        assertThat(pg1.query("SELECT count(*) FROM pg_attribute WHERE attname = 'likes' AND attrelid IN"
                        + " ('shard_0001.photo'::regclass, 'shard_0002.photo'::regclass)"))
                .containsExactly("0");
        pg1.execute("UPDATE sharded_id.shard SET state = 'ACTIVE'");
        cluster.provision(TestCluster.LATER);
        assertThat(pg1.query("SELECT likes FROM shard_0001.photo")).isEmpty();
    }

    @Test
    void aDatabaseInWhichAnotherInstanceWorksIsWaitedFor() throws Exception {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 3);
        cluster.provision(TestCluster.GOOD);
        try (Connection other = cluster.database("pg1").connect();
                SessionLock lock = SessionLock.take("pg1", other, SessionLock.DATABASE)) {
            Provisioner later = cluster.provisioner(cluster.sources(), TestCluster.LATER);
            assertThat(later.drift().shards()).noneMatch(ShardStatus::upToDate);

            CompletableFuture<Void> waiting = OwnThread.run(later::provision);
            Awaitility.await().until(ManyShardsIntegrationTests::someThreadWaitsForTheLock);
            assertThat(waiting).isNotDone();
            lock.close();
            waiting.join();
            assertThat(later.drift().shards()).allMatch(ShardStatus::upToDate);
        }
    }

    private static boolean someThreadWaitsForTheLock() {
        return Thread.getAllStackTraces().values().stream()
                .anyMatch(stack -> Arrays.stream(stack)
                                .anyMatch(frame -> frame.getMethodName().equals("sleep"))
                        && Arrays.stream(stack)
                                .anyMatch(frame -> frame.getClassName().equals(SessionLock.class.getName())));
    }

    @Test
    void aDatabaseJoinsByConfigurationAloneWhileOthersDoNotKnowIt() {
        try (PostgresServer server = PostgresServers.start()) {
            TestCluster two = TestCluster.ofTwo();
            two.provision(TestCluster.GOOD);
            TestCluster three = two.with("pg3", server.newDatabase(), "");
            Map<String, DataSource> sources = new HashMap<>(three.sources());

            three.provision(TestCluster.GOOD);

            assertThat(three.map().shardsOf("pg3")).isEmpty();
            assertThat(three.database("pg3").query("SELECT prosrc FROM pg_proc WHERE proname = 'next_id'"))
                    .isEqualTo(two.database("pg1")
                            .query("SELECT prosrc FROM pg_proc p JOIN pg_namespace n ON"
                                    + " n.oid = pronamespace WHERE proname = 'next_id' AND nspname = 'sharded_id'"));
            assertThat(three.database("pg3").query("SELECT cluster_id, jvm_nodes FROM sharded_id.cluster"))
                    .isEqualTo(two.database("pg1").query("SELECT cluster_id, jvm_nodes FROM sharded_id.cluster"));
            two.provision(TestCluster.GOOD);
            assertThat(two.map().unownedShards()).isEmpty();
            server.stop();
            new Provisioner(three.definition(), sources, ShardMigrations.at(TestCluster.GOOD)).provision();
            assertThat(three.map().unownedShards()).isEmpty();
            assertThat(IntStream.range(0, 6).mapToObj(three.map()::databaseOf)).contains("pg1", "pg2");
        }
    }
}
