package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is configured and cannot be is found before anything is written in any database. */
@Tag("quick")
class PreconditionsIntegrationTests {
    private final TestCluster cluster = TestCluster.ofTwo();
    private final Provisioner provisioner = cluster.provisioner(cluster.sources(), TestCluster.GOOD);

    private AbstractThrowableAssert<?, ? extends Throwable> refused(Provisioner wrong, String... message) {
        Map<String, List<String>> before = cluster.dump();
        var thrown = assertThatThrownBy(wrong::provision)
                .hasMessageContainingAll(message)
                .hasMessageContaining("Nothing was changed");
        assertThat(cluster.dump()).isEqualTo(before);
        return thrown;
    }

    private void missing(Provisioner wrong, String... message) {
        refused(wrong, message)
                .isExactlyInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.MISSING_OBJECT);
    }

    @Test
    void globalScriptsThatCannotBeRead() {
        refused(
                        provisioner.withGlobal(GlobalDatabase.on("pg2"), ShardMigrations.at("classpath:db/none")),
                        "classpath:db/none")
                .isExactlyInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION);
    }

    @Test
    void aMoverThatIsNoMemberOfTheOwner() {
        missing(
                provisioner.withOptions(
                        new ProvisioningOptions(true, Map.of(), new ClusterRoles(null, null, "pg_monitor"))),
                "GRANT",
                "TO pg_monitor",
                "ClusterRoles");
    }

    @Test
    void aCommonSchemaThatIsNotThere() {
        for (String name : List.of("nowhere", "\"public\"", "Public", "public; drop")) {
            missing(
                    new Provisioner(
                            cluster.definition(),
                            cluster.sources(),
                            ShardMigrations.at(TestCluster.GOOD)
                                    .withCommonSchemas(new CommonSchemas(List.of("public", name)))),
                    "pg1",
                    "'" + name + "'",
                    "ShardMigrations");
        }
    }
}
