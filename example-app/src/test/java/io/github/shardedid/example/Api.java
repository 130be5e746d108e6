package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the running application. Safe for use by several threads. */
record Api(String baseUrl) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    /** A status and a JSON body. */
    record Answer(int status, String contentType, JsonNode body) {
        /** A field of the body as text. */
        String text(String field) {
            return body.path(field).asString();
        }

        Answer expecting(int expected) {
            assertThat(status).as("%s", body).isEqualTo(expected);
            return this;
        }
    }

    Answer get(String path) {
        return send(HttpRequest.newBuilder(URI.create(baseUrl + path)).build());
    }

    Answer post(String path, String json) {
        return send(HttpRequest.newBuilder(URI.create(baseUrl + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    /** The id of a new user. */
    String user(String name) {
        return post("/users", "{\"name\": \"%s\"}".formatted(name))
                .expecting(201)
                .text("id");
    }

    /** The id of a new photo. */
    String photo(String author, String caption) {
        return post("/photos", "{\"author\": \"%s\", \"caption\": \"%s\"}".formatted(author, caption))
                .expecting(201)
                .text("id");
    }

    /** Likes a photo. */
    Answer like(String photo, String user) {
        return post("/photos/" + photo + "/likes", "{\"user\": \"%s\"}".formatted(user));
    }

    static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    private static Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            String type = response.headers().firstValue("Content-Type").orElse("");
            return new Answer(response.statusCode(), type, json(type.contains("json") ? response.body() : "null"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(request.uri().toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
