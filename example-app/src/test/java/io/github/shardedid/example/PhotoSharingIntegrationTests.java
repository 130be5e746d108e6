package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.example.Api.Answer;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PhotoSharingIntegrationTests extends OnThreeServers {
    @Test
    void aUserIsFoundByIdByShortTextAndByName() {
        String name = newName();
        Answer created = api().post("/users", "{\"name\": \"" + name + "\"}").expecting(201);

        assertThat(created.body().get("id").isString()).isTrue();
        assertThat(api().get("/users/" + created.text("id")).expecting(200).body())
                .isEqualTo(created.body());
        assertThat(api().get("/users/" + created.text("text")).expecting(200).body())
                .isEqualTo(created.body());
        assertThat(api().get("/users?name=" + name).expecting(200).body()).isEqualTo(created.body());
    }

    @Test
    void aPhotoLivesInItsAuthorsShardAndItsIdSaysWhenItWasPosted() {
        String author = api().user(newName());
        String photo = api().photo(author, "Engine");

        Answer read = api().get("/photos/" + photo).expecting(200);

        assertThat(Databases.shardOf(Long.parseLong(photo))).isEqualTo(Databases.shardOf(Long.parseLong(author)));
        assertThat(read.text("author")).isEqualTo(author);
        assertThat(read.text("caption")).isEqualTo("Engine");
        assertThat(Instant.parse(read.text("createdAt")))
                .isBetween(
                        Instant.now().minus(Duration.ofMinutes(1)),
                        Instant.now().plusSeconds(1));
        assertThat(api().get("/photos/" + read.text("text")).body()).isEqualTo(read.body());
    }

    @Test
    void aPhotoOfAnUnknownLocationIsRefused() {
        String request = "{\"author\": \"%s\", \"caption\": \"Nowhere\", \"location\": %d}";
        String author = api().user(newName());

        assertThat(api().post("/photos", request.formatted(author, 4711))
                        .expecting(404)
                        .text("detail"))
                .isEqualTo("There is no location 4711.");
        assertThat(api().post("/photos", request.formatted(author, 3))
                        .expecting(201)
                        .text("location"))
                .isEqualTo("Soglio");
    }

    @Test
    void aSecondLikeChangesNothingAndUsersOfAllShardsMayLike() {
        String photo = api().photo(api().user(newName()), "Liked");
        List<String> users = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            users.add(api().user(newName()));
            api().like(photo, users.get(i)).expecting(201);
        }

        Answer again = api().like(photo, users.get(0)).expecting(200);

        assertThat(again.body().get("likes").asLong()).isEqualTo(8);
        assertThat(api().get("/photos/" + photo).body().get("likes").asLong()).isEqualTo(8);
        assertThat(values(api().get("/photos/" + photo + "/likes").body().get("items"), "user"))
                .containsExactlyInAnyOrderElementsOf(users);
    }

    @Test
    void commentsAreReadLatestFirst() {
        String author = api().user(newName());
        String photo = api().photo(author, "Discussed");
        for (String text : List.of("first", "second")) {
            api().post("/photos/" + photo + "/comments", "{\"user\": \"%s\", \"text\": \"%s\"}".formatted(author, text))
                    .expecting(201);
        }

        JsonNode comments = api().get("/photos/" + photo + "/comments")
                .expecting(200)
                .body()
                .get("items");

        assertThat(values(comments, "text")).containsExactly("second", "first");
    }

    @Test
    void anAccountIsDownloadedAsJsonLinesWithAllThatLivesWithIt() throws IOException {
        String name = newName();
        String caption = "Zürich 🚂\\n\\\"at night\\\"";
        String author = api().user(name);
        String photo = api().photo(author, caption);
        api().like(photo, api().user(newName())).expecting(201);
        URLConnection download = URI.create(api().baseUrl() + "/users/" + author + "/export")
                .toURL()
                .openConnection();

        List<String> lines = new String(download.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(line -> Api.json(line).toString())
                .toList();

        assertThat(download.getContentType()).startsWith("application/jsonl");
        assertThat(download.getHeaderField("Content-Disposition")).contains("account.jsonl");
        assertThat(lines).anyMatch(line -> line.contains(author) && line.contains(name));
        assertThat(lines).anyMatch(line -> line.contains(photo) && line.contains(caption));
        assertThat(lines).anyMatch(line -> line.contains("photo_like"));
    }

    @Test
    void nextLinksLeadOnceThroughAllPhotosNewestFirst() {
        String author = api().user(newName());
        List<String> posted = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            posted.add(0, api().photo(author, "Photo " + i));
        }
        api().like(posted.get(3), author).expecting(201);

        List<String> read = new ArrayList<>();
        List<String> likes = new ArrayList<>();
        String next = "/users/" + author + "/photos?limit=10";
        while (!next.isEmpty()) {
            Answer page = api().get(next).expecting(200);
            read.addAll(values(page.body().get("items"), "id"));
            likes.addAll(values(page.body().get("items"), "likes"));
            next = page.body().get("next").isNull() ? "" : page.text("next");
        }

        assertThat(read).isEqualTo(posted);
        assertThat(likes.get(3)).isEqualTo("1");
        assertThat(likes).filteredOn("0"::equals).hasSize(24);
    }

    @Test
    void anIdIsTakenApart() {
        String user = api().user(newName());
        long id = Long.parseLong(user);

        Answer decoded = api().get("/ids/" + user).expecting(200);

        assertThat(decoded.body().get("shard").asInt()).isEqualTo(Databases.shardOf(id));
        assertThat(decoded.text("schema")).isEqualTo(Databases.schemaOf(id));
        assertThat(decoded.text("database")).isEqualTo(DATABASES.homeOf(id));
        assertThat(String.join("", values(decoded.body().get("fields"), "binary")))
                .isEqualTo("0".repeat(Long.numberOfLeadingZeros(id)) + Long.toBinaryString(id));
        assertThat(api().get("/ids/" + decoded.text("text")).body()).isEqualTo(decoded.body());
    }

    @Test
    void theShardsAreShownWithTheirDatabases() {
        Answer shards = api().get("/shards").expecting(200);

        assertThat(shards.body().get("shards").asInt()).isEqualTo(64);
        assertThat(values(shards.body().get("databases"), "name")).containsExactly("pg1", "pg2", "pg3");
        assertThat(values(shards.body().get("databases"), "ranges")).containsExactly("0-20", "21-41", "42-63");
        assertThat(shards.body().toString()).doesNotContain("password");
    }

    @Test
    void aRowInsertedBesideTheApplicationByTheColumnsDefaultIsReadByIt() {
        long author = Long.parseLong(api().user(newName()));
        TestDatabase home = DATABASES.named(DATABASES.homeOf(author));

        String id = home.query("INSERT INTO %s.photo (author_id, caption) VALUES (%d, 'by hand') RETURNING id"
                        .formatted(Databases.schemaOf(author), author))
                .get(0);

        assertThat(api().get("/photos/" + id).expecting(200).text("caption")).isEqualTo("by hand");
        assertThat(api().like(id, Long.toString(author))
                        .expecting(201)
                        .body()
                        .get("likes")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void thePageAndItsPartsAreServed() {
        for (String path : List.of(
                "/", "/p/x", "/u/x", "/operations", "/css/base.css", "/icon.svg", "/js/index.js", "/curl-lines")) {
            api().get(path).expecting(200);
        }
    }

    static List<String> values(JsonNode items, String field) {
        List<String> values = new ArrayList<>();
        items.forEach(item -> values.add(item.get(field).asString()));
        return values;
    }
}
