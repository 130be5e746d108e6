package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application as a user starts it, in a process of its own with servers of its own. */
@Tag("slow")
@Tag("embedded-only")
class ExampleApplicationIntegrationTests {
    private static final Pattern DATA = Pattern.compile("Their data is in (\\S+), (.*)");

    @Test
    void itPrintsLinesThatWorkAndStopsWithoutLeavingProcessesOrFiles() throws Exception {
        Run run = Run.start();
        Path data = Path.of(run.found(DATA).group(1));
        try {
            List<String> lines = run.printed.stream()
                    .dropWhile(line -> !line.contains("try in a shell"))
                    .filter(line -> line.contains("curl "))
                    .toList();
            PrintedLines.assertTheStory(
                    PrintedLines.curlIsThere() ? PrintedLines.inAShell(lines) : PrintedLines.overHttp(lines), true);
            assertThat(postgresOn(data)).isGreaterThanOrEqualTo(3);
        } finally {
            run.process.toHandle().destroy(); // as kill does; Process.destroy() would close the output first
        }

        assertThat(run.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.process.exitValue()).isEqualTo(128 + 15);
        await().until(() -> postgresOn(data) == 0);
        assertThat(data).doesNotExist();
        run.readRest();
        assertThat(run.printed)
                .filteredOn(line -> !isAboutASlowMachine(line))
                .noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN ") || line.contains("Exception"));
    }

    @Test
    void dataIsKeptWhereTheUserSays(@TempDir Path directory) throws Exception {
        String option = "--example.embedded.data-directory=" + directory;
        String user;
        Run first = Run.start(option);
        try {
            user = new Api(first.baseUrl()).user("ada");
        } finally {
            first.stop();
        }

        Run second = Run.start(option);
        try {
            assertThat(new Api(second.baseUrl())
                            .get("/users/" + user)
                            .expecting(200)
                            .text("name"))
                    .isEqualTo("ada");
        } finally {
            second.stop();
        }
        assertThat(postgresOn(directory)).isZero();
        assertThat(directory.resolve("pg1")).isDirectory();
    }

    @Test
    void serversOfTheUsersOwnAreUsedAndNoneStarted() throws Exception {
        TestDatabase given = PostgresServers.shared(1).newDatabase();
        Run run = Run.start(Map.of(
                "SHARDEDID_DATABASES_PG1_URL", given.url(),
                "SHARDEDID_DATABASES_PG1_USERNAME", given.server().username(),
                "SHARDEDID_DATABASES_PG1_PASSWORD", given.server().password(),
                "SHARDEDID_DATABASES_PG1_SHARDS", "0-63"));
        try {
            long user = Long.parseLong(new Api(run.baseUrl()).user("ada"));

            assertThat(given.query("SELECT name FROM %s.users WHERE id = %d".formatted(Databases.schemaOf(user), user)))
                    .containsExactly("ada");
            assertThat(run.printed).noneMatch(line -> line.contains("PostgreSQL servers"));
        } finally {
            run.stop();
        }
    }

    /** Tomcat and HikariCP warn of what took longer than usual, whatever the reason. */
    private static boolean isAboutASlowMachine(String line) {
        return line.contains("Creation of SecureRandom instance") || line.contains("Thread starvation or clock leap");
    }

    private static long postgresOn(Path data) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(data.toString()))
                .filter(process -> process.info().command().orElse("").endsWith("postgres"))
                .count();
    }

    /** A run of the application's main method. */
    private record Run(Process process, BufferedReader output, List<String> printed) {
        static Run start(String... options) throws Exception {
            return start(Map.of(), options);
        }

        static Run start(Map<String, String> variables, String... options) throws Exception {
            List<String> command = JavaCommand.of(ExampleApplication.class.getName(), "--server.port=0");
            command.addAll(List.of(options));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(variables);
            Process process = builder.start();
            Run run = new Run(process, process.inputReader(), new ArrayList<>());
            run.readUntil("/shards");
            return run;
        }

        private void readUntil(String last) throws Exception {
            String line = output.readLine();
            while (line != null) {
                printed.add(line);
                if (line.startsWith("curl ") && line.endsWith(last)) {
                    return;
                }
                line = output.readLine();
            }
            throw new AssertionError("The application ended:\n" + String.join("\n", printed));
        }

        void readRest() throws Exception {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                printed.add(line);
            }
        }

        Matcher found(Pattern pattern) {
            return printed.stream()
                    .map(pattern::matcher)
                    .filter(Matcher::find)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(String.join("\n", printed)));
        }

        String baseUrl() {
            return found(Pattern.compile("Open (\\S+)/ in a browser")).group(1);
        }

        void stop() throws Exception {
            process.toHandle().destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
