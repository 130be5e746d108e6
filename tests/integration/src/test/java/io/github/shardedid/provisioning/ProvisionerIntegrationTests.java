package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.UnownedShardException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("containers")
class ProvisionerIntegrationTests {
    @Test
    @Tag("quick")
    void emptyDatabasesBecomeAClusterThatMakesIds() {
        TestCluster cluster = TestCluster.ofTwo();

        cluster.provision(TestCluster.GOOD);

        assertThat(cluster.map().shardsOf("pg1")).containsExactly(0, 1, 2, 3);
        assertThat(cluster.map().shardsOf("pg2")).containsExactly(4, 5);
        TestDatabase pg2 = cluster.database("pg2");
        long id = pg2.queryLong("INSERT INTO shard_0005.photo (caption) VALUES ('cat') RETURNING id");
        assertThat(IdLayout.DEFAULT.shardOf(id)).isEqualTo(5);
        assertThat(IdLayout.DEFAULT.decode(id).node()).isEmpty();
        assertThat(pg2.queryLong("SELECT id FROM shard_0005.photo")).isEqualTo(id);
        assertThat(clusterIds(cluster)).hasSize(1);
    }

    @Test
    @Tag("quick")
    void aSecondRunChangesNothing() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);
        Map<String, List<String>> before = cluster.dump();

        cluster.provision(TestCluster.GOOD);
        cluster.provision();

        assertThat(cluster.dump()).isEqualTo(before);
    }

    @Tag("slow")
    @Test
    void twoThousandShardsThatAreUpToDateAreNotTouched() {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 2000);
        cluster.provision();
        assertThat(cluster.map().shardsOf("pg1")).hasSize(2000);
        assertThat(cluster.database("pg1")
                        .queryLong("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'shard\\_%'"))
                .isEqualTo(2000);
    }

    @Test
    void laterScriptsRunInEveryShardAndOnlyOnce() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);
        cluster.database("pg1").execute("INSERT INTO shard_0000.photo (caption) VALUES ('cat')");

        cluster.provision(TestCluster.LATER);

        assertThat(cluster.database("pg1").query("SELECT likes FROM shard_0000.photo"))
                .containsExactly("0");
        assertThat(cluster.database("pg2").query("SELECT likes FROM shard_0005.photo"))
                .isEmpty();
        assertThat(cluster.database("pg2")
                        .query("SELECT version FROM shard_0004.flyway_schema_history ORDER BY installed_rank"))
                .containsExactly("0", "1", "2");
    }

    @Test
    @Tag("quick")
    void aFailingScriptIsNamedWithItsShardAndTheRepairedOneGoesOn() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);

        assertThatThrownBy(() -> cluster.provision(TestCluster.BROKEN))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("V2__likes.sql")
                .hasMessageContaining("shard 0 of database pg1")
                .hasMessageContaining("no_such_type");
        cluster.provision(TestCluster.LATER);

        assertThat(cluster.database("pg1").query("SELECT likes FROM shard_0003.photo"))
                .isEmpty();
    }

    @Test
    void scriptsThatAreNotThereAreAnErrorBeforeAnythingIsChanged() {
        TestCluster cluster = TestCluster.ofTwo();
        Map<String, List<String>> before = cluster.dump();

        assertThatThrownBy(() -> cluster.provision("classpath:db/nowhere"))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("db/nowhere");

        assertThat(cluster.dump()).isEqualTo(before);
    }

    @Test
    void aDatabaseThatIsAddedOwnsNothing() {
        TestCluster two = TestCluster.ofTwo();
        two.provision(TestCluster.GOOD);
        TestCluster three = two.with("pg0", PostgresServers.shared(1).newDatabase(), "0-5");

        three.provision(TestCluster.GOOD);

        assertThat(three.map().shardsOf("pg0")).isEmpty();
        assertThat(three.map().unownedShards()).isEmpty();
        assertThat(clusterIds(three)).hasSize(1);
        assertThat(three.database("pg0").queryLong("SELECT sharded_id.shard_of(11637205501278089)"))
                .isEqualTo(1341);
    }

    @Test
    void aDatabaseReplacedByAnEmptyOneLeavesItsShardsUnowned() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);
        TestCluster replaced =
                cluster.without("pg2").with("pg2", PostgresServers.shared(2).newDatabase(), "4-5");

        replaced.provision(TestCluster.GOOD);

        assertThat(replaced.database("pg2").query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard\\_%'"))
                .isEmpty();
        assertThatThrownBy(replaced::map)
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP)
                .hasMessageContaining("4-5");
    }

    @Test
    void aDatabaseThatIsDownIsSkippedOnceTheClusterExists() {
        try (PostgresServer server = PostgresServers.start()) {
            TestCluster cluster = TestCluster.ofTwo().without("pg2").with("pg2", server.newDatabase(), "4-5");
            cluster.provision(TestCluster.GOOD);
            server.stop();

            cluster.provision(TestCluster.LATER);

            assertThat(cluster.database("pg1").query("SELECT likes FROM shard_0000.photo"))
                    .isEmpty();
            assertThat(cluster.map().unreachableDatabases()).containsExactly("pg2");
            assertThat(cluster.map().databaseOf(0)).isEqualTo("pg1");
            assertThatThrownBy(() -> cluster.map().databaseOf(4))
                    .isInstanceOf(UnownedShardException.class)
                    .hasMessageContaining("pg2")
                    .hasMessageNotContaining(server.password() + "@");
            server.start();
            cluster.provision(TestCluster.LATER);
            assertThat(cluster.database("pg2").query("SELECT likes FROM shard_0005.photo"))
                    .isEmpty();
        }
    }

    @Test
    void aNewClusterNeedsAllItsDatabases() {
        try (PostgresServer server = PostgresServers.start()) {
            TestCluster cluster = TestCluster.ofTwo().with("pg3", server.newDatabase(), "");
            server.stop();

            assertThatThrownBy(cluster::provision)
                    .isInstanceOf(ProvisioningException.class)
                    .hasFieldOrPropertyWithValue("reason", Reason.UNREACHABLE_DATABASE)
                    .hasMessageContaining("pg3=");

            assertThat(cluster.without("pg3").dump().get("pg1")).noneMatch(object -> object.contains("sharded_id"));
        }
    }

    @Test
    @Tag("quick")
    void rangesMustCoverANewClusterButAreNotLookedAtLater() {
        TestCluster cluster = TestCluster.ofTwo();
        TestCluster gap = cluster.without("pg2").with("pg2", cluster.database("pg2"), "5");
        assertThatThrownBy(gap::provision)
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES)
                .hasMessageContaining("4");

        cluster.provision();
        gap.provision();

        assertThat(gap.map().databaseOf(4)).isEqualTo("pg2");
    }

    @Test
    void aConnectionIsGivenBackAsItWas() throws SQLException {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 3);
        try (OneConnectionPool pool = new OneConnectionPool(cluster.database("pg1"))) {
            pool.raw().setAutoCommit(false);
            pool.raw().createStatement().execute("SET search_path = pg_catalog, public; SET TimeZone = 'Asia/Tokyo'");
            pool.raw().commit();

            cluster.provisioner(Map.of("pg1", pool), TestCluster.GOOD).provision();

            assertThat(pool.raw().getAutoCommit()).isFalse();
            assertThat(pool.query("SHOW search_path")).isEqualTo("pg_catalog, public");
            assertThat(pool.query("SHOW TimeZone")).isEqualTo("Asia/Tokyo");
            assertThat(pool.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                            + " (SELECT oid FROM pg_database WHERE datname = current_database())"))
                    .isEqualTo("0");
        }
    }

    private static List<String> clusterIds(TestCluster cluster) {
        return cluster.databases().values().stream()
                .flatMap(database -> database.query("SELECT cluster_id FROM sharded_id.cluster").stream())
                .distinct()
                .toList();
    }

    @Test
    @Tag("quick")
    void everyShardHasItsOwnNumberInItsWrapper() {
        TestCluster cluster = TestCluster.ofTwo();
        cluster.provision(TestCluster.GOOD);
        IntStream.range(0, 4).forEach(shard -> {
            long id = cluster.database("pg1")
                    .queryLong("INSERT INTO shard_000" + shard + ".photo DEFAULT VALUES RETURNING id");
            assertThat(IdLayout.DEFAULT.shardOf(id)).isEqualTo(shard);
        });
    }

    @Test
    void aLayoutWhoseTimeIsOverOrHasNotBegunIsRefusedAndNothingIsChanged() {
        TestCluster empty = TestCluster.ofTwo();
        Map<String, List<String>> before = empty.dump();
        for (String epoch : List.of("1980-01-01T00:00:00Z", "2999-01-01T00:00:00Z")) {
            TestCluster wrong = empty.with(IdLayout.DEFAULT.withEpoch(Instant.parse(epoch)), 6);
            Provisioner now = new Provisioner(wrong.definition(), wrong.sources(), ShardMigrations.none());
            assertThatThrownBy(now::provision)
                    .hasFieldOrPropertyWithValue(
                            "reason",
                            epoch.startsWith("2")
                                    ? ClusterConfigurationException.Reason.FUTURE_EPOCH
                                    : ClusterConfigurationException.Reason.EXHAUSTED_EPOCH)
                    .hasMessageContaining(epoch);
            assertThatThrownBy(now::check).hasMessageContaining(epoch);
        }
        assertThat(empty.dump()).isEqualTo(before);
    }

    @Test
    void aClusterWhoseTimeHasEndedSinceIsRefused() {
        IdLayout ended = IdLayout.DEFAULT.withEpoch(Instant.parse("1980-01-01T00:00:00Z"));
        TestCluster cluster = TestCluster.ofOne(ended, 2);
        cluster.provision(TestCluster.GOOD);
        Map<String, List<String>> before = cluster.dump();
        Provisioner now =
                new Provisioner(cluster.definition(), cluster.sources(), ShardMigrations.at(TestCluster.LATER));

        assertThatThrownBy(now::provision)
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
        assertThatThrownBy(now::check)
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
        assertThat(cluster.dump()).isEqualTo(before);
    }
}
