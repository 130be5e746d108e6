package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ShardMover;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A table of a shard refuses rows of other shards, whoever writes them, where that is switched on. */
@Tag("quick")
class IdConstraintsIntegrationTests {
    private static final String CONSTRAINTS =
            "SELECT conrelid::regclass || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)"
                    + " FROM pg_constraint WHERE conname = 'sharded_id_check' ORDER BY 1";

    /** Without constraints. */
    private final TestCluster cluster = TestCluster.provisioned(IdLayout.DEFAULT, 6, "0-3", "4-5");

    private void constrain() {
        cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                .withOptions(ProvisioningOptions.DEFAULT.withIdConstraints(true))
                .provision();
    }

    private static String check(int shard) {
        return "CHECK (((id >= 0) AND (((id >> 10) & (8191)::bigint) = " + shard + ")))";
    }

    private static long id(int shard) {
        return IdLayout.DEFAULT.encode(1000, shard, 1);
    }

    private static String insert(int schema, int shardOfId) {
        return "INSERT INTO shard_000" + schema + ".photo (id) VALUES (" + id(shardOfId) + ")";
    }

    @Test
    void idsOfOtherShardsAreRefusedAlsoInTablesThatWereThere() {
        cluster.database("pg1")
                .execute("CREATE SEQUENCE shard_0002.tag_id_seq MINVALUE 0;"
                        + " CREATE TABLE shard_0002.tag (id bigint PRIMARY KEY);"
                        + " CREATE TABLE shard_0002.plain (id bigserial PRIMARY KEY);"
                        + " CREATE TABLE shard_0002.pair (a bigint, b bigint, PRIMARY KEY (a, b));"
                        + insert(1, 1));
        constrain();

        assertThat(cluster.database("pg1").query(CONSTRAINTS))
                .containsExactly(
                        "shard_0000.photo true " + check(0),
                        "shard_0001.photo true " + check(1),
                        "shard_0002.photo true " + check(2),
                        "shard_0002.tag true " + check(2),
                        "shard_0003.photo true " + check(3));
        assertThatThrownBy(() -> cluster.database("pg1").execute(insert(1, 2)))
                .hasStackTraceContaining("sharded_id_check");
        assertThatThrownBy(() -> cluster.database("pg1").execute("UPDATE shard_0001.photo SET id = " + id(3)))
                .hasStackTraceContaining("sharded_id_check");
        cluster.database("pg2").execute(insert(4, 4));

        constrain();
        assertThat(cluster.database("pg2").query(CONSTRAINTS)).hasSize(2);
        assertThat(cluster.provisioner(cluster.sources(), TestCluster.GOOD)
                        .drift()
                        .lines())
                .noneMatch(line -> line.contains("sharded_id_check"));
    }

    @Test
    void rowsThatAreMisplacedAlreadyStopNothingButNewOnes() {
        cluster.database("pg1").execute(insert(1, 2));
        constrain();

        assertThat(cluster.database("pg1").query(CONSTRAINTS))
                .contains("shard_0001.photo false " + check(1) + " NOT VALID");
        assertThatThrownBy(() -> cluster.database("pg1").execute(insert(1, 3)))
                .hasStackTraceContaining("sharded_id_check");

        cluster.database("pg1").execute("DELETE FROM shard_0001.photo");
        constrain();
        assertThat(cluster.database("pg1").query(CONSTRAINTS)).contains("shard_0001.photo true " + check(1));
    }

    @Test
    void aShardThatMovesTakesThemAlong() {
        constrain();
        cluster.database("pg1").execute(insert(1, 1));
        new ShardMover(
                        cluster.definition(),
                        cluster.sources(),
                        ShardMigrations.at(TestCluster.GOOD),
                        MoveOptions.DEFAULT)
                .moveOffline(1, "pg2");

        assertThat(cluster.database("pg2").query(CONSTRAINTS)).contains("shard_0001.photo true " + check(1));
        assertThat(cluster.database("pg2").query("SELECT id FROM shard_0001.photo"))
                .isEqualTo(List.of(String.valueOf(id(1))));
    }
}
