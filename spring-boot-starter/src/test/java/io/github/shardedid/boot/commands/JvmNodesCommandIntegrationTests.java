package io.github.shardedid.boot.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The number of JVM nodes is changed on the command line of the application, which exits and says how it went. */
@Tag("slow")
class JvmNodesCommandIntegrationTests {
    private final TestDatabase database = PostgresServers.shared(1).newDatabase();

    @BeforeEach
    void provision() {
        ClusterDefinition definition =
                new ClusterDefinition(IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.parse("0-1")));
        new Provisioner(definition, Map.of("pg1", database.dataSource()), ShardMigrations.none()).provision();
    }

    private CommandProcess.Ended run(String... arguments) throws IOException, InterruptedException {
        return CommandProcess.run(CommandProcess.properties(2, database), arguments);
    }

    private List<String> stored() {
        return database.query("SELECT jvm_nodes FROM sharded_id.cluster");
    }

    @Test
    void itIsChangedWhetherTheOldOrTheNewNumberIsConfigured() throws Exception {
        CommandProcess.Ended old = run("--sharded-id.change-jvm-nodes-to=16", "--greeting.word=Hello");
        assertThat(old.code()).as(old.output()).isZero();
        assertThat(stored()).containsExactly("16");
        assertThat(old.output())
                .contains("jvm-nodes is 16 now", "sharded-id.change-jvm-nodes-to is done")
                .doesNotContain(CommandMain.BEAN, GreetingPlaceholder.CREATED, "Exception");

        CommandProcess.Ended young = run("--sharded-id.jvm-nodes=0", "--sharded-id.change-jvm-nodes-to=0");
        assertThat(young.code()).as(young.output()).isZero();
        assertThat(stored()).containsExactly("0");
    }

    @Test
    void aFailureIsToldAsOneOfTheStart() throws Exception {
        database.execute("UPDATE sharded_id.cluster SET changing_to = 8");

        CommandProcess.Ended refused = run("--sharded-id.change-jvm-nodes-to=16");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.output())
                .contains("APPLICATION FAILED TO START", "jvm-nodes is being changed from 32 to 8")
                .doesNotContain(CommandMain.BEAN);
        assertThat(stored()).containsExactly("32");

        CommandProcess.Ended odd = run("--sharded-id.change-jvm-nodes-to=3");
        assertThat(odd.code()).isEqualTo(1);
        assertThat(odd.output()).contains("sharded-id.change-jvm-nodes-to cannot be 3", "a power of two up to 512");
    }
}
