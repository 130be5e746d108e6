package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard in which only some of the new scripts have run says nothing about the shards that had the same scripts before. */
class UnfinishedMigrationsIntegrationTests {
    private static final String MANY = "classpath:db/provisioning/many";
    private static final String MORE = "classpath:db/provisioning/more";
    private static final String FAILING = "classpath:db/provisioning/failing";
    private static final String STORED = "SELECT migrations FROM sharded_id.shard WHERE shard = 0";

    private final TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 6);

    /** The script before the one that fails stays in shard 0. */
    @BeforeEach
    void leaveShardUnfinished() {
        cluster.provision(MANY);
        assertThatThrownBy(() -> cluster.provision(MANY, MORE, FAILING))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION);
        assertThat(cluster.database("pg1").query(STORED)).containsExactly("unfinished in shard 0");
    }

    @Test
    void otherShardsAreMigratedWhenTheFailingScriptIsGone() {
        assertThatThrownBy(() -> provisioner(MANY, MORE).check())
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNPROVISIONED);

        cluster.provision(MANY, MORE);

        assertThat(provisioner(MANY, MORE).drift().inOrder()).isTrue();
        assertThat(provisioner(MANY, MORE).drift().shards()).allMatch(shard -> "3".equals(shard.version()));
        provisioner(MANY, MORE).check();
    }

    @Test
    void instancesOfTheOlderVersionStart() {
        provisioner(MANY).check();

        cluster.provision(MANY);

        assertThat(cluster.database("pg1").query(STORED))
                .singleElement()
                .asString()
                .hasSize(64);
        provisioner(MANY).check();
        cluster.provision(MANY, MORE);
        assertThat(provisioner(MANY, MORE).drift().shards()).allMatch(shard -> "3".equals(shard.version()));
    }

    private Provisioner provisioner(String... locations) {
        return cluster.provisioner(cluster.sources(), locations);
    }
}
