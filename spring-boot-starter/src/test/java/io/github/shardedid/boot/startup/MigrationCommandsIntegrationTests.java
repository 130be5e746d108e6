package io.github.shardedid.boot.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How the shards differ is told on the command line of the application, and histories of scripts are repaired there. */
@Tag("slow")
class MigrationCommandsIntegrationTests {
    private final TestDatabase database = PostgresServers.shared(1).newDatabase();

    @BeforeEach
    void provision() {
        ClusterDefinition definition =
                new ClusterDefinition(IdLayout.DEFAULT, 3, Map.of("pg1", ShardRanges.parse("0-2")));
        new Provisioner(definition, Map.of("pg1", database.dataSource()), ShardMigrations.at("classpath:db/shard"))
                .provision();
    }

    private CommandProcess.Ended run(String... arguments) throws IOException, InterruptedException {
        return CommandProcess.run(CommandProcess.properties(3, database), arguments);
    }

    @Test
    void whatDiffersIsTold() throws Exception {
        database.execute("CREATE TABLE shard_0001.notes (id bigint)");

        CommandProcess.Ended report = run("--sharded-id.report-drift");

        assertThat(report.code()).as(report.output()).isZero();
        assertThat(report.output())
                .contains("2 of 3 shards are alike", "version 1, up to date: 3 shards, 0-2")
                .contains("shard 1 (pg1): table notes: missing in most shards")
                .contains("sharded-id.report-drift is done")
                .doesNotContain(CommandMain.BEAN);
    }

    @Test
    void whatBeansSayOfFlywayHolds() throws Exception {
        TestDatabase other = PostgresServers.shared(1).newDatabase();
        ClusterDefinition definition =
                new ClusterDefinition(IdLayout.DEFAULT, 3, Map.of("pg1", ShardRanges.parse("0-2")));
        ShardMigrations greeting = ShardMigrations.at("classpath:db/greeting")
                .withFlyway(flyway -> flyway.placeholders(Map.of("greeting", "Hello_")));
        new Provisioner(definition, Map.of("pg1", other.dataSource()), greeting).provision();

        CommandProcess.Ended report = CommandProcess.run(
                CommandProcess.properties(3, other),
                "--sharded-id.migrations=classpath:db/greeting",
                "--greeting.word=Hello",
                "--greeting.space=_",
                "--sharded-id.report-drift");

        assertThat(report.code()).as(report.output()).isZero();
        assertThat(report.output())
                .contains("3 of 3 shards are alike and up to date", "sharded-id.report-drift is done")
                .contains(GreetingPlaceholder.CREATED)
                .doesNotContain(CommandMain.BEAN);
    }
}
