package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** The application, processed ahead of time as the build plugins do it, and started from what that generated. */
@Tag("slow")
class AotIntegrationTests {
    @TempDir
    private Path directory;

    private final TestDatabase pg1 = PostgresServers.shared(1).newDatabase();
    private final TestDatabase pg2 = PostgresServers.shared(2).newDatabase();

    private record Ended(int code, String output) {}

    private static Ended run(List<String> jvm, String main, List<String> arguments) throws Exception {
        List<String> command = JavaCommand.of("-Dspring.docker.compose.enabled=false");
        command.addAll(jvm);
        command.add(main);
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    /** What decides about beans, hence when the application is processed, too. */
    private static final List<String> WEB = List.of(
            "--spring.main.web-application-type=servlet",
            "--server.port=0",
            "--management.endpoints.web.exposure.include=shards,health,metrics",
            "--management.endpoint.health.show-components=always",
            "--management.endpoint.shards.access=unrestricted");

    private List<String> configuration() {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--sharded-id.epoch=2024-01-01T00:00:00Z",
                "--sharded-id.shards=8",
                "--sharded-id.global.database=pg2",
                "--sharded-id.databases.pg1.shards=0-3",
                "--sharded-id.databases.pg2.shards=4-7"));
        DatabaseProperties.of("pg1", pg1).forEach(property -> arguments.add("--" + property));
        DatabaseProperties.of("pg2", pg2).forEach(property -> arguments.add("--" + property));
        arguments.addAll(WEB);
        return arguments;
    }

    @Test
    void theApplicationIsProcessedWithoutAskingADatabaseAndStartsFromWhatWasGenerated() throws Exception {
        String classPath = System.getProperty("java.class.path");
        Path sources = Files.createDirectories(directory.resolve("sources"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        // What a build has: the names of the databases.
        List<String> processing = new ArrayList<>(List.of(
                PhotoSharing.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "io.github.shardedid",
                "photo-sharing",
                "--sharded-id.shards=8",
                "--sharded-id.global.database=pg2",
                "--sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/nobody",
                "--sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/nobody"));
        processing.addAll(WEB);

        Ended processed = run(List.of(), SpringApplicationAotProcessor.class.getName(), processing);
        assertThat(processed.code()).as(processed.output()).isZero();
        compile(sources, classes, classPath);
        Ended ended = run(
                List.of("-Dspring.aot.enabled=true", "-cp", classes + File.pathSeparator + classPath),
                AotMain.class.getName(),
                configuration());

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("generated: true, found: 01 11 21 31 41 51 61 71 8 8 8 refused 6");
        assertThat(ended.output())
                .contains(
                        "shards: 200 8, move: 409, health: UP UP, metrics: 200, json: {\"id\":\"9223372036854775807\"}");
        assertThat(pg2.query("SELECT caption FROM shard_0006.photo")).containsExactly("processed");
    }

    private static void compile(Path sources, Path classes, String classPath) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-parameters",
                "-d",
                classes.toString(),
                "-cp",
                classes + File.pathSeparator + classPath));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
