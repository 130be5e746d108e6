package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class GlobalSchemaIntegrationTests {
    private static final String FIRST = "classpath:db/membership/global";
    private static final String LATER = "classpath:db/membership/later";
    private static final String GREETINGS = "classpath:db/membership/name_view";
    private static final String FAILING = "classpath:db/membership/failing";
    private static final GlobalDatabase ON_PG2 = GlobalDatabase.on("pg2");

    private final TestCluster cluster = TestCluster.ofTwo();

    private Provisioner provisioner(GlobalDatabase global, String... scripts) {
        return provisioner(cluster.sources(), global, scripts);
    }

    private Provisioner provisioner(Map<String, DataSource> sources, GlobalDatabase global, String... scripts) {
        return cluster.provisioner(sources, TestCluster.GOOD)
                .withGlobal(global, scripts.length == 0 ? ShardMigrations.none() : ShardMigrations.at(scripts));
    }

    private List<String> schemas(String database) {
        return cluster.database(database)
                .query("SELECT nspname FROM pg_namespace WHERE nspname LIKE '%global%' ORDER BY 1");
    }

    @Test
    @Tag("quick")
    void theSchemaIsInOneDatabaseAndItsScriptsRunOnce() {
        provisioner(ON_PG2, FIRST).provision();

        assertThat(schemas("pg1")).isEmpty();
        assertThat(schemas("pg2")).containsExactly("sharded_global");
        assertThat(cluster.database("pg2").query("SELECT version FROM sharded_global.flyway_schema_history"))
                .containsExactly("1");
        assertThat(cluster.database("pg2").query("SELECT schemaname FROM pg_tables WHERE tablename = 'country'"))
                .containsExactly("sharded_global");

        Map<String, List<String>> before = cluster.dump();
        provisioner(ON_PG2, FIRST).provision();
        provisioner(ON_PG2, FIRST).check();
        cluster.provision(TestCluster.GOOD);
        assertThat(cluster.dump()).isEqualTo(before);

        assertThatThrownBy(() -> provisioner(ON_PG2, FIRST, LATER).check())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNPROVISIONED)
                .hasMessageContaining("[pg2]");
        provisioner(ON_PG2, FIRST, LATER).provision();
        provisioner(ON_PG2, FIRST, LATER).check();
        assertThat(cluster.database("pg2").query("SELECT population FROM sharded_global.country"))
                .isEmpty();
    }

    @Test
    void aClusterThatLivesGetsItLaterInASchemaThatMayBeThere() {
        cluster.provision(TestCluster.GOOD);
        assertThatThrownBy(() -> provisioner(ON_PG2, FIRST).check())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNPROVISIONED);
        cluster.database("pg2").execute("CREATE SCHEMA common");

        provisioner(new GlobalDatabase("pg2", "common"), FIRST).provision();

        assertThat(cluster.database("pg2").query("SELECT code FROM common.country"))
                .isEmpty();
    }

    @Test
    void anotherHomeIsRefusedAndNothingIsChanged() {
        provisioner(ON_PG2, FIRST).provision();
        Map<String, List<String>> before = cluster.dump();

        for (GlobalDatabase other : List.of(GlobalDatabase.on("pg1"), new GlobalDatabase("pg2", "common"))) {
            assertThatThrownBy(() -> provisioner(other, FIRST).provision())
                    .isInstanceOf(ProvisioningException.class)
                    .hasFieldOrPropertyWithValue("reason", Reason.DIFFERENT_GLOBAL)
                    .hasMessageContaining("are on database pg2 in the schema sharded_global")
                    .hasMessageContaining(other.database() + " in " + other.schema());
            assertThatThrownBy(() -> provisioner(other, FIRST).check())
                    .isInstanceOf(ProvisioningException.class)
                    .hasFieldOrPropertyWithValue("reason", Reason.DIFFERENT_GLOBAL);
        }

        assertThat(cluster.dump()).isEqualTo(before);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> provisioner(GlobalDatabase.on("pg9"), FIRST))
                .withMessageContaining("pg9");
    }

    @Test
    void aSchemaThatIsGoneIsNotMadeAnew() {
        provisioner(ON_PG2, FIRST).provision();
        cluster.database("pg2").execute("DROP SCHEMA sharded_global CASCADE");

        assertThatThrownBy(() -> provisioner(ON_PG2, FIRST).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.DAMAGED_DATABASE)
                .hasMessageContaining("sharded_global");
        assertThat(schemas("pg2")).isEmpty();
    }

    @Test
    void aFailingScriptIsNamedWithItsSchema() {
        // They call next_id, which only shards have.
        assertThatThrownBy(() -> provisioner(ON_PG2, TestCluster.GOOD).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("V1__photos.sql")
                .hasMessageContaining("the global schema sharded_global of database pg2");
        assertThat(cluster.map().shardsOf("pg2")).hasSize(2);
        provisioner(ON_PG2, FIRST).provision();
    }

    @Test
    void instancesThatStartAtOnceMakeItOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Map<String, String>>> starts = threads.invokeAll(IntStream.range(0, 4)
                    .<Callable<Map<String, String>>>mapToObj(
                            i -> () -> provisioner(ON_PG2, FIRST).provision())
                    .toList());
            for (Future<Map<String, String>> start : starts) {
                assertThat(start.get()).isEmpty();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(cluster.database("pg2").query("SELECT version FROM sharded_global.flyway_schema_history"))
                .containsExactly("1");
    }

    @Test
    void aGlobalDatabaseThatIsDownDoesNotStopTheStart() throws SQLException {
        provisioner(ON_PG2, FIRST).provision();
        Map<String, DataSource> sources = new TreeMap<>(cluster.sources());
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl("jdbc:postgresql://localhost:1/nowhere");
        sources.put("pg2", nobody);

        assertThatCode(() -> provisioner(sources, ON_PG2, FIRST, LATER).provision())
                .doesNotThrowAnyException();
        assertThatCode(() -> provisioner(sources, ON_PG2, FIRST, LATER).check()).doesNotThrowAnyException();
    }

    /** As when a newer version dies between its scripts: the older one cannot know which have run. */
    @Test
    void anOlderVersionUndoesWhatANewerOneLeftUnfinished() {
        greeting("Hello ", FIRST, GREETINGS).provision();
        cluster.database("pg2").execute("INSERT INTO sharded_global.country VALUES ('MT', 0, 'Malta')");
        assertThatThrownBy(() -> greeting("Bye ", FIRST, GREETINGS, FAILING).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION)
                .hasMessageContaining("R__2_fails.sql");
        assertThat(greetings()).containsExactly("Bye Malta");
        assertThatThrownBy(() -> greeting("Hello ", FIRST, GREETINGS).check())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNPROVISIONED);

        greeting("Hello ", FIRST, GREETINGS).provision();

        assertThat(greetings()).containsExactly("Hello Malta");
        greeting("Hello ", FIRST, GREETINGS).check();
        Map<String, List<String>> before = cluster.dump();
        greeting("Hello ", FIRST, GREETINGS).provision();
        assertThat(cluster.dump()).isEqualTo(before);
    }

    @Test
    void anOlderVersionStartsIfNothingOfItsOwnIsMissing() {
        provisioner(ON_PG2, FIRST).provision();
        assertThatThrownBy(() -> provisioner(ON_PG2, FIRST, LATER, FAILING).provision())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION);
        assertThat(cluster.database("pg2").query("SELECT migrations FROM sharded_id.global_schema"))
                .containsExactly("unfinished");

        provisioner(ON_PG2, FIRST).check();
        provisioner(ON_PG2, FIRST).provision();

        assertThat(cluster.database("pg2").query("SELECT length(migrations) FROM sharded_id.global_schema"))
                .containsExactly("64");
        provisioner(ON_PG2, FIRST).check();
        provisioner(ON_PG2, FIRST, LATER).check();
    }

    private List<String> greetings() {
        return cluster.database("pg2").query("SELECT greeting FROM sharded_global.greetings");
    }

    private Provisioner greeting(String greeting, String... locations) {
        return cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                .withGlobal(
                        ON_PG2,
                        ShardMigrations.at(locations)
                                .withFlyway(flyway -> flyway.placeholders(Map.of("greeting", greeting))));
    }
}
