package io.github.shardedid.boot.startup;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link CommandMain} as a process of its own, and waits for its end. */
public final class CommandProcess {
    private CommandProcess() {}

    /** How it ended, and what it printed. */
    public record Ended(int code, String output) {}

    /** With properties, as they stand in a file, and further arguments as they are. */
    public static Ended run(List<String> properties, String... arguments) throws IOException, InterruptedException {
        List<String> command = JavaCommand.of(
                CommandMain.class.getName(),
                "--spring.main.banner-mode=off",
                "--spring.docker.compose.enabled=false",
                "--spring.main.web-application-type=none");
        properties.forEach(property -> command.add("--" + property));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    /** The properties of a cluster on one database. */
    static List<String> properties(int shards, TestDatabase database) {
        List<String> properties = new ArrayList<>(DatabaseProperties.of("pg1", database));
        properties.add("sharded-id.shards=" + shards);
        return properties;
    }
}
