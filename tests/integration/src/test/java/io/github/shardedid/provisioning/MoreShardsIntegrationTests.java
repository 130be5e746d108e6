package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardPlacement;
import io.github.shardedid.topology.UnownedShardException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Shards that are added to a living cluster of six. PostgreSQL tells which schemas there are. */
class MoreShardsIntegrationTests {
    private static final String NUMBERS = "SELECT shard_count || ' ' || key_shards FROM sharded_id.cluster";
    private static final String TWO_MINUTES_PASS =
            "UPDATE sharded_id.cluster SET grown = grown - interval '121 seconds'";

    private final TestCluster six = TestCluster.provisioned(IdLayout.DEFAULT, 6, "0-3", "4-5");
    private final TestCluster nine = six.with(IdLayout.DEFAULT, 9);

    @Test
    @Tag("quick")
    void newShardsAreSpreadEvenlyAndComplete() {
        nine.provision(TestCluster.GOOD);

        assertThat(schemas("pg1")).isEqualTo(IntStream.of(0, 1, 2, 3, 6).boxed().toList());
        assertThat(schemas("pg2")).isEqualTo(IntStream.of(4, 5, 7, 8).boxed().toList());
        assertWhole(nine);
        assertThat(nine.provisioner(nine.sources(), TestCluster.GOOD).drift().inOrder())
                .isTrue();
    }

    @Test
    @Tag("quick")
    void newShardsAreWhereTheConfigurationSays() {
        TestCluster named = nine.with("pg1", nine.database("pg1"), "0-3").with("pg2", nine.database("pg2"), "4-8");
        named.provision(TestCluster.GOOD);

        assertThat(schemas("pg2")).isEqualTo(IntStream.range(4, 9).boxed().toList());
        assertWhole(nine);
    }

    @Test
    void aDatabaseThatJoinsGetsThemIfItIsNamed() {
        TestCluster joined = nine.with("pg3", PostgresServers.shared(1).newDatabase(), "6-8");
        joined.provision(TestCluster.GOOD);

        assertThat(joined.map().shardsOf("pg3")).containsExactly(6, 7, 8);
        assertThat(joined.database("pg3").query(NUMBERS)).containsExactly("9 6");
        assertThat(joined.database("pg3").queryLong("SELECT sharded_id.shard_of_key(8)"))
                .isEqualTo(2);
    }

    /** Otherwise an old instance would find no row by its id, and queries over all shards would lack it. */
    @Test
    @Tag("quick")
    void newShardsOfADatabaseThatIsNotConfiguredAreUnavailableAndNotUnknown() {
        CurrentShardMap old = new CurrentShardMap(new DatabaseShardMapSource(six.definition(), six.sources()));
        nine.with("pg1", nine.database("pg1"), "0-3,6")
                .with("pg3", PostgresServers.shared(1).newDatabase(), "7-8")
                .provision(TestCluster.GOOD);
        nine.databases().values().forEach(database -> database.execute(TWO_MINUTES_PASS));

        ShardMap at = old.refreshSince(old.nanoTime());
        assertThat(old.has(7)).isTrue();
        assertThat(at.unownedShards()).containsExactly(7, 8);
        assertThatExceptionOfType(UnownedShardException.class)
                .isThrownBy(() -> at.databaseOf(7))
                .withMessageContaining("configured with 6 of 9 shards: restart it");
        assertThat(at.forNewRows().shardCount()).as("shards for new rows").isEqualTo(7);
        assertThat(at.forNewRows().unownedShards()).isEmpty();
    }

    @Test
    void aDatabaseThatJoinsLaterDistributesKeysAsTheOthers() {
        nine.provision(TestCluster.GOOD);
        TestCluster joined = nine.with("pg3", PostgresServers.shared(1).newDatabase(), "");
        joined.provision(TestCluster.GOOD);

        assertThat(joined.database("pg3").query(NUMBERS)).containsExactly("9 6");
        assertThat(joined.map().shardsOf("pg3")).isEmpty();
        assertThat(joined.map().keyShards()).isEqualTo(6);
    }

    @Test
    void rangesThatLeaveNewShardsOutAreRefused() {
        TestCluster named = nine.with("pg2", nine.database("pg2"), "4-7");
        Map<String, List<String>> before = six.dump();

        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> named.provision(TestCluster.GOOD))
                .withMessageContaining("The shards 8 of 9")
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES);
        assertThat(six.dump()).isEqualTo(before);
    }

    @Test
    @Tag("quick")
    void provisioningAgainChangesNothing() {
        nine.provision(TestCluster.GOOD);
        Map<String, List<String>> before = nine.dump();

        nine.provision(TestCluster.GOOD);
        nine.provisioner(nine.sources(), TestCluster.GOOD).check();

        assertThat(nine.dump()).isEqualTo(before);
    }

    @Test
    @Tag("quick")
    void fewerShardsAreRefused() {
        nine.provision(TestCluster.GOOD);
        Map<String, List<String>> before = nine.dump();

        for (TestCluster fewer : List.of(six, six.with(IdLayout.DEFAULT, 8))) {
            assertThatExceptionOfType(ProvisioningException.class)
                    .isThrownBy(() -> fewer.provision(TestCluster.GOOD))
                    .withMessageContaining("shards is 9 there, but configured as " + fewer.shardCount())
                    .withMessageContaining("never lowered")
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.LAYOUT_MISMATCH));
        }
        assertThat(nine.dump()).isEqualTo(before);
    }

    @Test
    @Tag("quick")
    void whoMayNotProvisionIsToldThatShardsAreMissing() {
        Map<String, List<String>> before = six.dump();

        assertThatExceptionOfType(ProvisioningException.class)
                .isThrownBy(
                        () -> nine.provisioner(nine.sources(), TestCluster.GOOD).check())
                .withMessageContaining("has 6 shards, but 9 are configured");
        assertThat(six.dump()).isEqualTo(before);
    }

    @Test
    void databasesThatDistributeKeysDifferentlyAreRefused() {
        nine.provision(TestCluster.GOOD);
        nine.database("pg2").execute("UPDATE sharded_id.cluster SET key_shards = 9");

        assertThatExceptionOfType(ProvisioningException.class)
                .isThrownBy(() -> nine.provision(TestCluster.GOOD))
                .withMessageContaining("key_shards");
        assertThatExceptionOfType(ProvisioningException.class)
                .isThrownBy(nine::map)
                .withMessageContaining("{pg1=6, pg2=9}");
    }

    @Test
    @Tag("quick")
    void keysKeepTheirShards() {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Long> keys = random.longs(50).boxed().toList();
        String question =
                "SELECT string_agg(sharded_id.shard_of_key(k) || ' ' || sharded_id.shard_of_key(k::text), ',' ORDER BY k)"
                        + " FROM unnest('{"
                        + String.join(",", keys.stream().map(String::valueOf).toList()) + "}'::bigint[]) k";
        List<String> before = six.database("pg1").query(question);

        nine.provision(TestCluster.GOOD);

        assertThat(nine.database("pg1").query(question)).as("seed " + seed).isEqualTo(before);
        assertThat(six.map().keyShards()).isEqualTo(6);
    }

    @Test
    @Tag("quick")
    void newRowsArePlacedThereTwoMinutesLater() {
        CurrentShardMap old = new CurrentShardMap(new DatabaseShardMapSource(six.definition(), six.sources()));
        nine.provision(TestCluster.GOOD);

        ShardMap at = old.refreshSince(old.nanoTime());
        assertThat(at.shardCount()).isEqualTo(9);
        assertThat(at.forNewRows().shardCount()).isEqualTo(6);
        assertThat(IntStream.range(0, 200).map(i -> ShardPlacement.even().shardFor(i, at.forNewRows())))
                .allMatch(shard -> shard < 6);

        nine.databases().values().forEach(database -> database.execute(TWO_MINUTES_PASS));
        assertThat(old.refreshSince(old.nanoTime()).forNewRows().shardCount()).isEqualTo(9);

        nine.with(IdLayout.DEFAULT, 12).provision(TestCluster.GOOD);
        ShardMap again = old.refreshSince(old.nanoTime());
        assertThat(again.shardCount()).isEqualTo(12);
        assertThat(again.forNewRows().shardCount()).isEqualTo(9);
        assertThat(again.keyShards()).isEqualTo(6);
    }

    @Test
    void allDatabasesAreNeededAndTheClusterGoesOnWithoutOne() {
        Map<String, DataSource> one = new TreeMap<>(nine.sources());
        PGSimpleDataSource down = new PGSimpleDataSource();
        down.setUrl("jdbc:postgresql://localhost:1/none");
        one.put("pg2", down);

        assertThat(nine.provisioner(one, TestCluster.GOOD).provision()).containsOnlyKeys("pg2");
        assertThat(nine.database("pg1").query(NUMBERS)).containsExactly("6 6");
        assertThat(nine.map().shardCount()).isEqualTo(6);

        nine.provision(TestCluster.GOOD);
        assertWhole(nine);
        assertThat(nine.provisioner(one, TestCluster.GOOD).provision()).containsOnlyKeys("pg2");
    }

    /** A shard of a database that is not configured would otherwise get an owner that has none of its rows. */
    @Test
    void allShardsAreNeeded() {
        TestCluster part = nine.without("pg2");
        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> part.provision(TestCluster.GOOD))
                .withMessageContaining("4-5")
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP);
        assertThat(schemas("pg1")).hasSize(4);
    }

    /** Restored from a backup that is older than the new shards: empty ones would hide the loss of their rows. */
    @Test
    void newShardsThatABackupLacksAreNotMadeAgain() {
        nine.provision(TestCluster.GOOD);
        TestDatabase restored = nine.database("pg1");
        restored.execute("DELETE FROM sharded_id.shard WHERE shard > 5");
        restored.execute("DROP SCHEMA shard_0006 CASCADE");
        restored.execute("UPDATE sharded_id.cluster SET shard_count = 6, open_shards = 6");

        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> nine.provision(TestCluster.GOOD))
                .withMessageContaining("has the shards 6")
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP);
        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(nine::map)
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP);
        assertThat(schemas("pg1")).hasSize(4);
    }

    /** Old instances, which are configured with six shards, load a map between the kills. */
    @Test
    void aRunThatIsKilledAtEachCommitIsContinued() {
        int killed = 0;
        for (int moment = 0; moment < 40; moment += 2) {
            TestCluster old = TestCluster.provisioned(IdLayout.DEFAULT, 6, "0-3", "4-5");
            TestCluster more = old.with(IdLayout.DEFAULT, 9);
            KilledSources mortal = new KilledSources(more.databases(), moment);
            try {
                more.provisioner(mortal.sources(), TestCluster.GOOD).provision();
            } catch (RuntimeException e) {
                assertThat(mortal.killed()).as(e.toString()).isTrue();
            }
            killed += mortal.killed() ? 1 : 0;
            assertThat(old.map().shardCount()).isIn(6, 9);
            assertThat(old.map().keyShards()).isEqualTo(6);

            more.provision(TestCluster.GOOD);
            assertWhole(more);
        }
        assertThat(killed).isGreaterThan(5);
    }

    @Test
    @Tag("slow")
    void aRunThatIsKilledAnywhereIsContinued() {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        int killed = 0;
        for (int round = 0; round < 12; round++) {
            TestCluster old = TestCluster.provisioned(IdLayout.DEFAULT, 6, "0-3", "4-5");
            TestCluster more = old.with(IdLayout.DEFAULT, 9);
            for (int run = 0; run < 3; run++) {
                try {
                    more.provisioner(MortalSource.of(more, random.nextInt(1, 250)), TestCluster.GOOD)
                            .provision();
                } catch (RuntimeException e) {
                    killed++;
                }
                assertThat(old.map().shardCount()).as("seed " + seed).isIn(6, 9);
            }
            more.provision(TestCluster.GOOD);
            assertWhole(more);
        }
        assertThat(killed).as("seed " + seed).isGreaterThan(6);
    }

    /** Two processes add the same shards, and a third one is killed meanwhile. */
    @Test
    @Tag("slow")
    void processesAtOnceAddThemOnce(@TempDir Path directory) throws Exception {
        TestCluster named =
                nine.with("pg1", nine.database("pg1"), "0-3,6").with("pg2", nine.database("pg2"), "4-5,7-8");
        Process victim = start(named, directory.resolve("victim"));
        List<Process> others = List.of(start(named, directory.resolve("1")), start(named, directory.resolve("2")));
        while (victim.isAlive() && !victim.waitFor(50, TimeUnit.MILLISECONDS)) {
            if (schemas("pg1").size() + schemas("pg2").size() > 6) {
                victim.destroyForcibly();
            }
        }
        for (int i = 0; i < 2; i++) {
            assertThat(others.get(i).waitFor())
                    .as(Files.readString(directory.resolve(String.valueOf(i + 1))))
                    .isZero();
        }
        assertWhole(nine);
        assertThat(schemas("pg1")).isEqualTo(IntStream.of(0, 1, 2, 3, 6).boxed().toList());
    }

    private static Process start(TestCluster cluster, Path log) throws IOException {
        List<String> command = JavaCommand.of(ProvisioningProcess.class.getName());
        cluster.databases()
                .forEach((name, database) -> command.addAll(List.of(
                        name,
                        database.url(),
                        database.server().username(),
                        database.server().password(),
                        String.valueOf(cluster.ranges().get(name)))));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private List<Integer> schemas(String database) {
        return six
                .database(database)
                .query("SELECT substr(nspname, 7) FROM pg_namespace WHERE nspname ~ '^shard_[0-9]+$' ORDER BY 1")
                .stream()
                .map(Integer::valueOf)
                .toList();
    }

    /** Each shard has one home, takes rows with ids of its own, and refuses others; each database has the numbers. */
    private static void assertWhole(TestCluster cluster) {
        ShardMap map = cluster.map();
        assertThat(map.shardCount()).isEqualTo(9);
        List<Integer> owned = new ArrayList<>();
        cluster.databases().forEach((name, database) -> {
            assertThat(database.query(NUMBERS)).containsExactly("9 6");
            assertThat(database.query("SELECT 1 FROM sharded_id.cluster WHERE grown IS NULL"))
                    .isEmpty();
            for (int shard : map.shardsOf(name)) {
                owned.add(shard);
                long id = database.queryLong("INSERT INTO shard_000" + shard + ".photo DEFAULT VALUES RETURNING id");
                assertThat(IdLayout.DEFAULT.shardOf(id)).isEqualTo(shard);
                long other = IdLayout.DEFAULT.encode(1, shard == 0 ? 1 : 0, 1);
                assertThat(database.queryLong(
                                "SELECT count(*) FROM pg_constraint WHERE contype = 'c' AND conrelid = 'shard_000"
                                        + shard + ".photo'::regclass"))
                        .as("constraint that refuses " + other)
                        .isPositive();
            }
        });
        assertThat(owned).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }
}
