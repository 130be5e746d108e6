package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/migrations.md says about rows that a script inserts into one shard. */
class DocumentedMigrationIntegrationTests {
    private static final int SHARDS = 8;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRowIsInsertedIntoTheShardOfItsKeyOnly(boolean replay) {
        TestCluster cluster = TestCluster.ofOne(IdLayout.DEFAULT, SHARDS);
        ShardMigrations scripts =
                ShardMigrations.at("classpath:db/provisioning/one_shard").withReplay(replay);
        new Provisioner(cluster.definition(), cluster.sources(), scripts).provision();

        TestDatabase database = cluster.database("pg1");
        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(database.queryLong("SELECT count(*) FROM shard_%04d.administrator".formatted(shard)))
                    .as("rows in shard %d", shard)
                    .isEqualTo(shard == ShardKeys.shardOf("root", SHARDS) ? 1 : 0);
        }
        database.drop();
    }
}
