package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.test.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases whose schema {@code sharded_id} an older version of the library has provisioned. */
@Tag("quick")
class FunctionUpgradeIntegrationTests {
    private static final String NEXT = "SELECT shard_0003.next_id('shard_0003.photo_id_seq')";

    private final TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, 8);
    private final TestDatabase database = cluster.database("pg1");

    @Test
    void tablesAndFunctionsAreReplacedAndIdsGoOn() {
        cluster.provision(TestCluster.GOOD);
        long before = database.queryLong(NEXT);
        database.execute("ALTER FUNCTION sharded_id.next_id(regclass, int) RENAME TO next_id_before; CREATE FUNCTION"
                + " sharded_id.next_id(seq regclass, shard int) RETURNS bigint LANGUAGE sql AS"
                + " 'SELECT sharded_id.next_id_before(seq, shard)'; DROP FUNCTION sharded_id.shard_of(bigint) CASCADE;"
                + " DROP TABLE sharded_id.run; UPDATE sharded_id.cluster SET schema_version = 8");

        cluster.provision(TestCluster.GOOD);

        database.execute("DROP FUNCTION sharded_id.next_id_before(regclass, int)");
        cluster.provisioner(cluster.sources(), TestCluster.GOOD).check();
        assertThat(database.query("SELECT concat(schema_version, ' ', to_regclass('sharded_id.run')) FROM"
                        + " sharded_id.cluster"))
                .containsExactly("9 sharded_id.run");
        assertThat(database.queryLong(NEXT)).isGreaterThan(before);
    }

    /** Functions of the first version lock a sequence in another way than those that replace them. */
    @Test
    void aVersionBeforeTheOldestIsRefused() {
        cluster.provision(TestCluster.GOOD);
        database.execute("UPDATE sharded_id.cluster SET schema_version = 7");
        var before = cluster.dump();
        assertThatThrownBy(() -> cluster.provision(TestCluster.GOOD))
                .isInstanceOf(ProvisioningRefusedException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNSUPPORTED_VERSION)
                .hasMessageContaining("database pg1 has version 7")
                .hasMessageContaining("from version 8 on");
        assertThat(cluster.dump()).isEqualTo(before);
    }
}
