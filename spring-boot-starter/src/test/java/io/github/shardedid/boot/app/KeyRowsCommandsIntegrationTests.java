package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.PostgresServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of one user by commands of the command line. */
@Tag("slow")
class KeyRowsCommandsIntegrationTests {
    private final RunningApp app = RunningApp.on(PostgresServers.shared(1), PostgresServers.shared(2));
    private final UserRows rows = new UserRows(app);

    @AfterEach
    void close() {
        app.close();
    }

    /** Runs the application as a process of its own. */
    private String run(int code, String argument) throws Exception {
        List<String> command = JavaCommand.of(PhotoSharing.class.getName(), argument);
        app.properties().forEach((name, value) -> command.add("--" + name + "=" + value));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(code);
        return output;
    }

    @Test
    void commandsCountExportEraseAndRestore(@TempDir Path directory) throws Exception {
        User user = rows.userWithPhotos(2);
        rows.userWithPhotos(2);
        List<String> before = rows.of(2);
        Path file = directory.resolve("user.jsonl");
        String of = "User:" + user.id();
        assertThat(run(0, "--sharded-id.count-rows=" + of))
                .contains("Table photo: 3 rows", "shard 2 on database pg1: 10 rows");
        assertThat(run(0, "--sharded-id.export-rows=" + of + ":" + file)).contains("10 rows");
        assertThat(run(0, "--sharded-id.erase-rows=" + of)).contains("10 rows, 0 left");
        assertThat(rows.of(2)).hasSize(10).isNotEqualTo(before);
        assertThat(run(0, "--sharded-id.restore-rows=" + file)).contains("10 rows");
        assertThat(rows.of(2)).isEqualTo(before);
        assertThat(Files.readAllLines(file)).hasSize(12);
        assertThat(run(0, "--sharded-id.erase-rows=" + of)).contains("0 left");
        Files.writeString(file, Files.readString(file) + "and more");
        assertThat(run(1, "--sharded-id.restore-rows=" + file)).contains("10 rows", "no export of rows", "and more");
        assertThat(run(1, "--sharded-id.erase-rows=User")).contains("such as User:123");
    }
}
