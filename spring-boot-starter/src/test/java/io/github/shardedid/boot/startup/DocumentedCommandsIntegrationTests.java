package io.github.shardedid.boot.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command lines of docs/operations.md, one after the other, as they are written there. */
@Tag("slow")
@Tag("embedded-only")
class DocumentedCommandsIntegrationTests {
    private static final String APPLICATION = "java -jar app.jar ";

    private final MovedShards cluster = new MovedShards(30, "0,1,17", "2-16,18-29");

    /** Stands for a mover that was killed. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void eachDoesWhatThePageSays() throws Exception {
        List<String> commands = commands();
        assertThat(commands).hasSizeGreaterThan(10);
        for (String command : commands) {
            prepare(command);
            CommandProcess.Ended ended = cluster.run(command.split(" "));
            assertThat(ended.code()).as("%s%n%s", command, ended.output()).isZero();
            if (command.contains("move=17") || command.contains("run-plan")) {
                assertThat(homeOf17())
                        .as(command)
                        .isEqualTo(command.contains("check") || command.contains("abort") ? "pg1" : "pg2");
            }
        }
        assertThat(cluster.pg1().query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard\\_0017%'"))
                .as("old copies, after they were dropped")
                .isEmpty();
    }

    private static List<String> commands() throws IOException {
        return Files.readString(Path.of("../docs/operations.md"))
                .lines()
                .filter(line -> line.startsWith(APPLICATION) && line.matches(".*(move|drain|rebalance|old-copy).*"))
                .map(line -> line.replaceFirst("#.*", "")
                        .substring(APPLICATION.length())
                        .strip())
                .toList();
    }

    private String homeOf17() {
        return cluster.pg1().queryLong("SELECT count(*) FROM sharded_id.shard WHERE shard = 17 AND state = 'ACTIVE'")
                        == 1
                ? "pg1"
                : "pg2";
    }

    /** The shard is where the command finds something to do. */
    private void prepare(String command) {
        if (command.contains("show") || command.contains("drop") || command.contains("rebalance")) {
            return;
        }
        if (homeOf17().equals("pg2")) {
            cluster.mover(progress -> {}).move(17, "pg1");
        }
        if (command.contains("resume") || command.contains("abort")) {
            assertThat(catchThrowable(() -> cluster.mover(DocumentedCommandsIntegrationTests::die)
                            .move(17, "pg2")))
                    .isInstanceOf(Killed.class);
        }
    }

    private static void die(MoveProgress progress) {
        if (progress.step() == MoveStep.CATCH_UP) {
            throw new Killed();
        }
    }
}
