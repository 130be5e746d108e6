package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Runs the lines that the application prints, and checks what comes back. */
final class PrintedLines {
    private PrintedLines() {}

    static boolean curlIsThere() {
        try {
            return new ProcessBuilder("curl", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs the lines in one shell, as a user who pastes them does. */
    static List<JsonNode> inAShell(List<String> lines) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "set -eu\n" + String.join("\necho\n", lines))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return answers(List.of(output.split("\n", -1)));
    }

    /** Runs the lines without a shell. */
    static List<JsonNode> overHttp(List<String> lines) {
        Map<String, String> variables = new HashMap<>();
        List<String> output = new ArrayList<>();
        lines.forEach(line -> output.add(ShellLine.parse(line).run(variables)));
        return answers(output);
    }

    private static List<JsonNode> answers(List<String> output) {
        return output.stream().filter(line -> !line.isBlank()).map(Api::json).toList();
    }

    /** The answers are those of the story that the lines tell. */
    static void assertTheStory(List<JsonNode> answers, boolean firstTime) {
        assertThat(answers).hasSize(7);
        if (firstTime) {
            assertThat(answers.get(0).get("name").asString()).isEqualTo("ada");
        } else {
            assertThat(answers.get(0).get("status").asInt()).isEqualTo(409);
        }
        String ada = answers.get(1).get("user").asString();
        String photo = answers.get(1).get("photo").asString();
        assertThat(answers.get(1).get("likes").asInt()).isEqualTo(1);
        assertThat(answers.get(2).get("text").asString()).isEqualTo("It weaves");
        assertThat(answers.get(3).get("id").asString()).isEqualTo(photo);
        assertThat(answers.get(3).get("author").asString()).isEqualTo(ada);
        assertThat(answers.get(3).get("likes").asInt()).isEqualTo(1);
        assertThat(answers.get(4).get("items").get(0)).isEqualTo(answers.get(3));
        assertThat(answers.get(5).get("id").asString()).isEqualTo(photo);
        assertThat(answers.get(5).get("shard").asInt()).isEqualTo(Databases.shardOf(Long.parseLong(ada)));
        assertThat(answers.get(6).get("shards").asInt()).isEqualTo(64);
    }
}
