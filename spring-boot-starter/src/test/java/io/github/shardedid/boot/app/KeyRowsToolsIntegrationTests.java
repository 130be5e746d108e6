package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.web.Http;
import io.github.shardedid.boot.web.Http.Answer;
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

/** The rows of one user by the actuator's endpoint and by commands of the command line. */
@Tag("quick")
class KeyRowsToolsIntegrationTests {
    private static final String[] WEB = {
        "spring.main.web-application-type=servlet", "server.port=0", "management.endpoints.web.exposure.include=keyrows"
    };

    private RunningApp app = RunningApp.on(PostgresServers.shared(1), PostgresServers.shared(2), WEB);

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

    private User userWithPhotos(int shard) {
        User user = app.userIn(shard);
        for (int i = 0; i < 3; i++) {
            Photo photo = app.photoOf(user, "photo " + i);
            app.bean(CommentRepository.class).save(new Comment(photo, "words"));
            app.bean(LikeRepository.class).save(new Like(photo.id(), "fan"));
        }
        return user;
    }

    /** The rows of all tables that may have a user's, read past the application. */
    private List<String> rows(int shard) {
        return app.query(
                shard,
                "SELECT u::text FROM $.app_user u UNION ALL SELECT p::text FROM $.photo p UNION ALL SELECT c::text FROM"
                        + " $.photo_comment c UNION ALL SELECT l::text FROM $.photo_like l ORDER BY 1");
    }

    @Test
    void theEndpointIsOffUnlessItsAccessIsGiven() {
        String user = "/actuator/keyrows/User/" + userWithPhotos(5).id();
        assertThat(new Http(app.context).get(user).status()).isEqualTo(404);
        try (var reader = app.start(List.of(WEB[0], WEB[1], WEB[2], "management.endpoint.keyrows.access=read-only")
                .toArray(String[]::new))) {
            Http http = new Http(reader);
            assertThat(http.get(user).json().get("tables").size()).isGreaterThan(3);
            assertThat(http.get(user + "/export").text()).contains("photo 1");
            assertThat(http.delete(user).status()).isIn(404, 405);
        }
        try (var operator = app.start(List.of(WEB[0], WEB[1], WEB[2], "management.endpoint.keyrows.access=unrestricted")
                .toArray(String[]::new))) {
            Http http = new Http(operator);
            User other = userWithPhotos(5);
            Answer unknown = http.get("/actuator/keyrows/Stranger/1");
            assertThat(unknown.status()).isEqualTo(409);
            assertThat(unknown.json().get("detail").asString()).contains("No sharded entities are named Stranger");
            assertThat(http.get("/actuator/keyrows/User/" + Long.MAX_VALUE).status())
                    .isEqualTo(404);
            assertThat(http.get(user + "/import").status()).isEqualTo(400);
            Answer erased = http.delete(user);
            assertThat(erased.status()).as(erased.text()).isEqualTo(200);
            assertThat(rows(5)).hasSize(10);
            assertThat(http.delete(user).status()).isEqualTo(409);
            assertThat(http.get("/actuator/keyrows/User/" + other.id()).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void commandsCountExportEraseAndRestore(@TempDir Path directory) throws Exception {
        User user = userWithPhotos(2);
        userWithPhotos(2);
        List<String> before = rows(2);
        Path file = directory.resolve("user.jsonl");
        String of = "User:" + user.id();
        assertThat(run(0, "--sharded-id.count-rows=" + of))
                .contains("Table photo: 3 rows", "shard 2 on database pg1: 10 rows");
        assertThat(run(0, "--sharded-id.export-rows=" + of + ":" + file)).contains("10 rows");
        assertThat(run(0, "--sharded-id.erase-rows=" + of)).contains("10 rows, 0 left");
        assertThat(rows(2)).hasSize(10).isNotEqualTo(before);
        assertThat(run(0, "--sharded-id.restore-rows=" + file)).contains("10 rows");
        assertThat(rows(2)).isEqualTo(before);
        assertThat(Files.readAllLines(file)).hasSize(12);
        assertThat(run(0, "--sharded-id.erase-rows=" + of)).contains("0 left");
        Files.writeString(file, Files.readString(file) + "and more");
        assertThat(run(1, "--sharded-id.restore-rows=" + file)).contains("10 rows", "no export of rows", "and more");
        assertThat(run(1, "--sharded-id.erase-rows=User")).contains("such as User:123");
    }
}
