package io.github.shardedid.example.load;

import io.github.shardedid.topology.ShardKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An HTTP client of this application, with one user in each shard who posts photos and comments. Thread-safe. */
final class LoadClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int COMMENTS_PER_PHOTO = 9;

    private final HttpClient http;
    private final JsonMapper json = new JsonMapper();
    private final String baseUrl;
    private final int shards;
    private final Map<Integer, String> users = new ConcurrentHashMap<>();
    private final Map<Integer, String> photos = new ConcurrentHashMap<>();

    LoadClient(HttpClient http, String baseUrl, int shards) {
        this.http = http;
        this.baseUrl = baseUrl;
        this.shards = shards;
    }

    /** Writes a row to a shard: sometimes a photo, otherwise a comment on the last one. Returns the reason of a failure, or null. */
    @Nullable
    String write(int shard) throws InterruptedException {
        try {
            String user = userIn(shard);
            String photo = photos.get(shard);
            if (photo == null || ThreadLocalRandom.current().nextInt(COMMENTS_PER_PHOTO + 1) == 0) {
                JsonNode posted = send("POST", "/photos", Map.of("author", user, "caption", "A photo under load"));
                photos.put(shard, posted.get("id").asString());
            } else {
                send("POST", "/photos/" + photo + "/comments", Map.of("user", user, "text", "A comment under load"));
            }
            return null;
        } catch (IOException e) {
            return e.getMessage() == null ? e.toString() : e.getMessage();
        }
    }

    /** Signs up on the first call, or gets the user of an earlier run. */
    private String userIn(int shard) throws IOException, InterruptedException {
        String known = users.get(shard);
        if (known != null) {
            return known;
        }
        String id =
                send("PUT", "/users", Map.of("name", nameIn(shard))).get("id").asString();
        users.put(shard, id);
        return id;
    }

    /** The hash of a name chooses the shard, so this tries names until one is in this shard. */
    private String nameIn(int shard) {
        int number = 0;
        while (ShardKeys.shardOf("visitor " + number, shards) != shard) {
            number++;
        }
        return "visitor " + number;
    }

    private JsonNode send(String method, String path, Map<String, String> body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        JsonNode answer = json.readTree(response.body());
        if (response.statusCode() >= 300) {
            throw new IOException(answer.path("detail")
                    .asString("The application responded with status " + response.statusCode() + "."));
        }
        return answer;
    }
}
