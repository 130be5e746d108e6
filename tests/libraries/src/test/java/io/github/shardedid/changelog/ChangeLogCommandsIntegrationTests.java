package io.github.shardedid.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands for histories and differences, as processes of an application with a change log. */
@Tag("slow")
class ChangeLogCommandsIntegrationTests {
    private static final List<String> CHANGE_LOG = List.of(
            "--spring.liquibase.enabled=false",
            "--sharded-id.liquibase.change-log=classpath:db/songs/changelog.yaml",
            "--sharded-id.liquibase.parameters.artist=nobody");

    private final TwoDatabases databases = TwoDatabases.create();
    private final TestDatabase pg2 = databases.pg2();

    private record Ended(int code, String output) {}

    @BeforeEach
    void provision() {
        databases
                .start(ChangeLogApp.class, "", CHANGE_LOG.toArray(String[]::new))
                .close();
    }

    @AfterEach
    void drop() {
        databases.drop();
    }

    private Ended run(String command) throws IOException, InterruptedException {
        List<String> line = JavaCommand.of(ChangeLogApp.class.getName(), command);
        line.addAll(CHANGE_LOG);
        databases.properties("").forEach(property -> line.add("--" + property));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    @Test
    void whatDiffersIsReported() throws Exception {
        pg2.execute("DROP TABLE shard_0006.song");

        Ended report = run("--sharded-id.report-drift");

        assertThat(report.code()).as(report.output()).isZero();
        assertThat(report.output())
                .contains(
                        "7 of 8 shards are alike",
                        "version db/songs/changelog.yaml::artist::shop, up to date: 8 shards, 0-7")
                .contains("shard 6 (pg2): table song: missing here", "sharded-id.report-drift is done");
    }
}
