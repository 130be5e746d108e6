package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.UnownedShardException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ShardMapKeeperIntegrationTests {
    /** Such that nothing comes of it during a test. */
    private static final Duration NEVER = Duration.ofHours(1);

    private static final KeeperOptions LISTENING = new KeeperOptions(NEVER, Duration.ofMillis(100));

    private static CurrentShardMap mapOf(TestCluster cluster) {
        return new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
    }

    private static ShardMapKeeper keeping(CurrentShardMap map, TestCluster cluster, KeeperOptions options) {
        ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources(), options);
        await().until(() -> keeper.listening().size() == cluster.databases().size());
        return keeper;
    }

    @Test
    @Tag("quick")
    void whatADatabaseNotifiesIsInTheMap() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        CurrentShardMap map = mapOf(cluster);
        try (ShardMapKeeper keeper = keeping(map, cluster, LISTENING)) {
            HandMadeMove move = new HandMadeMove(0, cluster.database("pg1"), cluster.database("pg2"));
            move.prepare().softFence();
            await().until(() -> map.get().isFenced(0));
            move.finish();
            await().until(() -> map.get().isServedBy(0, "pg2"));
            assertThat(map.get().generationOf(0)).isEqualTo(2);
            assertThat(keeper.listening()).containsExactly("pg1", "pg2");

            HandMadeMove back = new HandMadeMove(0, cluster.database("pg2"), cluster.database("pg1"));
            back.prepare().finish();
            await().until(() -> map.get().isServedBy(0, "pg1"));
            assertThat(map.get().generationOf(0)).isEqualTo(3);
        }
    }

    /** As on a starved machine: the server is there, and the pool or the driver gives up. */
    @Test
    void aDatabaseThatTimesOutIsNamedWithTheReason() throws Exception {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        PGSimpleDataSource unanswered = new PGSimpleDataSource();
        try (ServerSocket silent = new ServerSocket(0);
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(cluster.sources().get("pg1"));
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            unanswered.setUrl("jdbc:postgresql://localhost:" + silent.getLocalPort() + "/app?loginTimeout=1");
            Map<String, DataSource> slow = Map.of("pg1", pool, "pg2", unanswered);
            try (Connection held = pool.getConnection()) {
                ShardMap map = new DatabaseShardMapSource(cluster.definition(), slow).load();
                assertThatThrownBy(() -> map.databaseOf(0))
                        .isInstanceOf(UnownedShardException.class)
                        .hasMessageContainingAll(
                                "request timed out after", "pg2=Connection attempt timed out", "asked again by itself");
            }
            assertThat(new DatabaseShardMapSource(cluster.definition(), slow)
                            .load()
                            .databaseOf(0))
                    .isEqualTo("pg1");
        }
    }

    @Test
    void aBurstOfNotificationsDoesNotCauseALoadEach() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        DatabaseShardMapSource source = new DatabaseShardMapSource(cluster.definition(), cluster.sources());
        ReentrantLock loading = new ReentrantLock();
        AtomicInteger loads = new AtomicInteger();
        CurrentShardMap map = new CurrentShardMap(() -> {
            loads.incrementAndGet();
            loading.lock();
            try {
                return source.load();
            } finally {
                loading.unlock();
            }
        });
        try (ShardMapKeeper keeper = keeping(map, cluster, LISTENING)) {
            int before = loads.get();
            loading.lock(); // until all have been sent
            try {
                cluster.database("pg1")
                        .execute(
                                "DO $$ BEGIN FOR i IN 1..500 LOOP UPDATE sharded_id.shard SET migrations = i WHERE shard = 0; COMMIT;"
                                        + " END LOOP; UPDATE sharded_id.shard SET state = 'FENCING' WHERE shard = 0; END $$");
            } finally {
                loading.unlock();
            }
            await().until(() -> map.get().isFenced(0));
            assertThat(loads.get() - before).isLessThan(250);
            assertThat(keeper.listening()).hasSize(2);
        }
    }

    @Test
    void aListenerThatIsKilledListensAgainAndLearnsWhatItHasMissed() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        CurrentShardMap map = mapOf(cluster);
        try (ShardMapKeeper keeper = keeping(map, cluster, LISTENING)) {
            cluster.database("pg1")
                    .execute("UPDATE sharded_id.shard SET state = 'FENCING' WHERE shard = 3;"
                            + " SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE query LIKE 'LISTEN%' AND datname = current_database()");
            await().until(() -> map.get().isFenced(3));
            await().until(() -> keeper.listening().size() == 2);
            cluster.database("pg1").execute("UPDATE sharded_id.shard SET state = 'ACTIVE' WHERE shard = 3");
            await().until(() -> !map.get().isFenced(3));
        }
    }

    @Test
    @Tag("quick")
    void withoutNotificationsTheDatabasesAreAskedNowAndThen() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        CurrentShardMap map = mapOf(cluster);
        KeeperOptions polling = new KeeperOptions(Duration.ofMillis(50), LISTENING.retry());
        try (ShardMapKeeper keeper = new ShardMapKeeper(map, Map.of(), polling)) {
            cluster.database("pg1").execute("UPDATE sharded_id.shard SET state = 'FENCING' WHERE shard = 3");
            await().until(() -> map.get().isFenced(3));
            assertThat(keeper.listening()).isEmpty();
        }
    }

    @Test
    void theSlowPollAloneFindsOutWhatWasNotHeard() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        CurrentShardMap map = mapOf(cluster);
        // As behind a pooler of transactions: it listens, and nothing arrives.
        cluster.databases().values().forEach(each -> each.execute("DROP TRIGGER map_changed ON sharded_id.shard"));
        KeeperOptions slow = new KeeperOptions(Duration.ofMillis(100), NEVER);
        try (ShardMapKeeper keeper = keeping(map, cluster, slow)) {
            assertThat(keeper.listening()).hasSize(2);
            cluster.database("pg1").execute("UPDATE sharded_id.shard SET state = 'FENCING' WHERE shard = 3");
            await().until(() -> map.get().isFenced(3));
            cluster.database("pg1").execute("UPDATE sharded_id.shard SET state = 'ACTIVE' WHERE shard = 3");
            await().until(() -> !map.get().isFenced(3));
        }
    }

    @Test
    void theQuickPollAloneFindsOutThatADatabaseIsBack() {
        try (PostgresServer server = PostgresServers.start()) {
            TestCluster cluster = new TestCluster(IdLayout.DEFAULT, 6, new TreeMap<>(), new LinkedHashMap<>())
                    .with("pg1", PostgresServers.shared(1).newDatabase(), "0-3")
                    .with("pg2", server.newDatabase(), "4-5");
            cluster.provision();
            server.stop();
            CurrentShardMap map = mapOf(cluster);
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, Map.of(), LISTENING)) {
                server.start();
                await().until(() -> map.get().isServedBy(5, "pg2"));
                assertThat(keeper.listening()).isEmpty();
            }
        }
    }

    @Test
    void whatMakesNoMapKeepsTheOldOneUntilItDoes() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        CurrentShardMap map = mapOf(cluster);
        try (ShardMapKeeper keeper = keeping(map, cluster, LISTENING)) {
            cluster.database("pg2").execute("INSERT INTO sharded_id.shard VALUES (2, 1, 'ACTIVE', NULL)");
            await().until(() -> map.lastFailure() != null);
            assertThat(map.lastFailure()).contains("Shard 2 is owned twice, by pg1 and by pg2");
            assertThat(map.get().databaseOf(2)).isEqualTo("pg1");
            cluster.database("pg2").execute("DELETE FROM sharded_id.shard WHERE shard = 2");
            await().until(() -> map.lastFailure() == null);

            cluster.database("pg2").execute("DELETE FROM sharded_id.shard WHERE shard = 5");
            await().until(() -> map.lastFailure() != null);
            assertThat(map.lastFailure()).contains("No database owns 5");
            assertThat(map.get().databaseOf(5)).isEqualTo("pg2");
            assertThat(map.failedRefreshes()).isPositive();
            assertThat(keeper.listening()).hasSize(2);
        }
    }

    @Test
    void aDatabaseThatWasDownJoinsWhenItIsBack() {
        try (PostgresServer server = PostgresServers.start()) {
            TestCluster cluster = new TestCluster(IdLayout.DEFAULT, 6, new TreeMap<>(), new LinkedHashMap<>())
                    .with("pg1", PostgresServers.shared(1).newDatabase(), "0-3")
                    .with("pg2", server.newDatabase(), "4-5");
            cluster.provision();
            server.stop();
            CurrentShardMap map = mapOf(cluster);
            assertThat(map.get().unownedShards()).containsExactly(4, 5);
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources(), LISTENING)) {
                await().until(() -> keeper.listening().equals(List.of("pg1")));
                server.start();
                await().until(() -> map.get().isServedBy(5, "pg2"));
                await().until(() -> keeper.listening().size() == 2);
                server.stop();
                await().until(() -> map.get().unreachableDatabases().contains("pg2"));
                assertThat(map.get().databaseOf(5)).as("as it said last").isEqualTo("pg2");
            }
        }
    }

    @Test
    void shardsMoveBetweenDatabasesOfOneServerAndToOneOfTheirOwn() {
        TestDatabase alone = PostgresServers.shared(1).newDatabase();
        TestCluster cluster = new TestCluster(IdLayout.DEFAULT, 3, new TreeMap<>(), new LinkedHashMap<>())
                .with("pg1", PostgresServers.shared(1).newDatabase(), "0-1")
                .with("pg2", PostgresServers.shared(1).newDatabase(), "2")
                .with("pg3", alone, "");
        cluster.provision();
        CurrentShardMap map = mapOf(cluster);
        assertThat(map.get().shardsOf("pg2")).containsExactly(2);
        assertThat(map.get().shardsOf("pg3")).isEmpty();
        try (ShardMapKeeper keeper = keeping(map, cluster, LISTENING)) {
            new HandMadeMove(1, cluster.database("pg1"), alone).prepare().finish();
            await().until(() -> map.get().isServedBy(1, "pg3"));
            assertThat(map.get().shardsOf("pg1")).containsExactly(0);
            assertThat(keeper.listening()).hasSize(3);
        }
    }

    @Test
    void itsThreadsAndConnectionsEndWithIt() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision();
        keeping(mapOf(cluster), cluster, KeeperOptions.DEFAULT).close();
        for (TestDatabase database : cluster.databases().values()) {
            await().until(() -> database.queryLong("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                            + " current_database() AND query LIKE '%LISTEN%' AND pid <> pg_backend_pid()")
                    == 0);
        }
    }

    @Test
    void durationsAreMoreThanZero() {
        assertThatThrownBy(() -> new KeeperOptions(Duration.ZERO, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new KeeperOptions(Duration.ofSeconds(1), Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
