package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The number of JVM nodes is changed on the command line of the application, which exits and says how it went. */
class JvmNodesOperationIntegrationTests {
    private final TestDatabase database = PostgresServers.shared(1).newDatabase();

    private record Ended(int code, String output) {}

    @BeforeEach
    void provision() {
        ClusterDefinition definition =
                new ClusterDefinition(IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.parse("0-1")));
        new Provisioner(definition, Map.of("pg1", database.dataSource()), ShardMigrations.none()).provision();
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OperationMain.class.getName(),
                "--spring.main.banner-mode=off",
                "--spring.main.web-application-type=none",
                "--sharded-id.shards=2",
                "--sharded-id.databases.pg1.url=" + database.url(),
                "--sharded-id.databases.pg1.username=" + database.server().username(),
                "--sharded-id.databases.pg1.password=" + database.server().password()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private List<String> stored() {
        return database.query("SELECT jvm_nodes FROM sharded_id.cluster");
    }

    @Test
    void itIsChangedWhetherTheOldOrTheNewNumberIsConfigured() throws Exception {
        Ended old = run("--sharded-id.change-jvm-nodes-to=16");
        assertThat(old.code()).as(old.output()).isZero();
        assertThat(stored()).containsExactly("16");
        assertThat(old.output())
                .contains("jvm-nodes is 16 now", "sharded-id.change-jvm-nodes-to is done")
                .doesNotContain(OperationMain.BEAN, "Exception");

        Ended young = run("--sharded-id.jvm-nodes=0", "--sharded-id.change-jvm-nodes-to=0");
        assertThat(young.code()).as(young.output()).isZero();
        assertThat(stored()).containsExactly("0");
    }

    @Test
    void aFailureIsToldAsOneOfTheStart() throws Exception {
        database.execute("UPDATE sharded_id.cluster SET changing_to = 8");

        Ended refused = run("--sharded-id.change-jvm-nodes-to=16");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.output())
                .contains("APPLICATION FAILED TO START", "jvm-nodes is being changed from 32 to 8")
                .doesNotContain(OperationMain.BEAN);
        assertThat(stored()).containsExactly("32");

        Ended odd = run("--sharded-id.change-jvm-nodes-to=3");
        assertThat(odd.code()).isEqualTo(1);
        assertThat(odd.output()).contains("sharded-id.change-jvm-nodes-to cannot be 3", "a power of two up to 512");
    }
}
