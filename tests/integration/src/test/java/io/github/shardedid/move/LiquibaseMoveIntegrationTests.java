package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiquibaseMoveIntegrationTests {
    private static final ShardMigrations GOOD = ShardMigrations.of(ChangeLog.at("db/liquibase/good.yaml"));
    private static final ShardMigrations LATER = ShardMigrations.of(ChangeLog.at("db/liquibase/later.yaml"));

    private final MovingCluster cluster = new MovingCluster(List.of(
            PostgresServers.shared(1).newDatabase(), PostgresServers.shared(2).newDatabase()));

    @AfterEach
    void drop() {
        cluster.close();
    }

    private Provisioner provisioner(ShardMigrations migrations) {
        return new Provisioner(cluster.definition(), cluster.sources(), migrations);
    }

    @Test
    void aMovedShardHasItsHistoryAndGoesOn() {
        provisioner(GOOD).provision();
        TestDatabase source = cluster.database("pg1");
        TestDatabase target = cluster.database("pg2");
        source.execute("INSERT INTO shard_0001.photo (caption) VALUES ('cat'), ('dog')");
        String history = "SELECT concat_ws('|', orderexecuted, id, author, filename, exectype, md5sum)"
                + " FROM shard_0001.databasechangelog ORDER BY orderexecuted";
        List<String> before = source.query(history);
        source.execute("UPDATE shard_0001.databasechangelog SET comments = 'at the source'");

        new ShardMover(cluster.definition(), cluster.sources(), GOOD, cluster.options()).move(1, "pg2");

        assertThat(target.query("SELECT caption FROM shard_0001.photo ORDER BY 1"))
                .containsExactly("cat", "dog");
        assertThat(target.query("SELECT shard_0001.caption_of(id) FROM shard_0001.photo ORDER BY 1"))
                .as("functions with a search path of their own")
                .containsExactly("cat", "dog");
        assertThat(target.query(history)).isEqualTo(before).hasSize(5);
        assertThat(target.query("SELECT 1 FROM shard_0001.databasechangelog WHERE comments = 'at the source'"))
                .as("written by the migrations at the target, as Flyway's is")
                .isEmpty();
        provisioner(LATER).provision();
        assertThat(provisioner(LATER).drift().inOrder()).isTrue();
        assertThat(target.query(history)).hasSize(6);
    }
}
