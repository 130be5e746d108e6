package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.example.Api.Answer;
import io.github.shardedid.example.scenery.Scenery;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** Uploads, the pictures that come of them, and everybody's photos by the page. */
class PicturesIntegrationTests extends OnThreeServers {
    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg", "gif"})
    void aPictureIsKeptInTheAuthorsShardAndServedAsItWas(String kind) throws Exception {
        String author = api().user(newName());
        byte[] content = drawn(kind, 1000, 800);

        Answer posted = upload(author, "Uploaded", content).expecting(201);

        long id = Long.parseLong(posted.text("id"));
        HttpResponse<byte[]> image = fetch("/photos/" + posted.text("text") + "/image", "");
        assertThat(image.body()).isEqualTo(content);
        assertThat(header(image, "Content-Type")).isEqualTo("image/" + kind);
        assertThat(header(image, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(DATABASES
                        .named(DATABASES.homeOf(id))
                        .query("SELECT length(content) FROM %s.photo_image WHERE photo_id = %d"
                                .formatted(Databases.schemaOf(id), id)))
                .containsExactly(Integer.toString(content.length));
        BufferedImage small = read(fetch("/photos/" + id + "/thumbnail", ""));
        assertThat(small.getWidth()).isEqualTo(640);
        assertThat(small.getHeight()).isEqualTo(512);
    }

    @Test
    void whoHasThePictureIsNotSentItAgain() throws Exception {
        String photo = api().photo(api().user(newName()), "Drawn");
        for (String size : List.of("image", "thumbnail")) {
            HttpResponse<byte[]> first = fetch("/photos/" + photo + "/" + size, "");
            assertThat(read(first).getWidth()).isEqualTo(640);
            assertThat(header(first, "Cache-Control")).contains("max-age=31536000", "immutable");

            HttpResponse<byte[]> again = fetch("/photos/" + photo + "/" + size, header(first, "ETag"));

            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
        }
        assertThat(fetch("/photos/" + (Long.parseLong(photo) + (1L << 23)) + "/image", "")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void whatIsNoPictureIsRefusedWhateverItIsCalled() {
        String author = api().user(newName());
        byte[] text = "<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8);
        byte[] cut = Arrays.copyOf(drawn("png", 300, 200), 60);

        assertThat(upload(author, "x", text).expecting(415).text("detail")).contains("JPEG, PNG or GIF");
        upload(author, "x", cut).expecting(415);
        upload(author, "x", new byte[3_000_000]).expecting(413);
        upload(author, "", drawn("png", 30, 20)).expecting(400);
        assertThat(api().get("/users/" + author + "/photos").body().get("items"))
                .isEmpty();
    }

    @Test
    void theNewestPhotosOfEverybodyComeOnceInOrderThroughAllShards() {
        List<String> posted = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            posted.add(0, api().photo(api().user(newName()), "Photo " + i));
        }
        String liked = posted.get(4);
        String fan = api().user(newName());
        api().like(liked, fan).expecting(201);

        List<JsonNode> read = new ArrayList<>();
        for (String next = "/photos?limit=5"; read.size() < 12; ) {
            Answer page = api().get(next + "&viewer=" + fan).expecting(200);
            page.body().get("items").forEach(read::add);
            next = page.text("next");
        }

        assertThat(read.stream().limit(12).map(photo -> photo.get("id").asString()))
                .isEqualTo(posted);
        assertThat(read.stream().limit(12).filter(photo -> photo.get("liked").asBoolean()))
                .singleElement()
                .satisfies(photo -> assertThat(photo.get("id").asString()).isEqualTo(liked));
    }

    private Answer upload(String author, String caption, byte[] content) {
        MultiValueMap<String, Object> parts = new LinkedMultiValueMap<>();
        parts.add("author", author);
        parts.add("caption", caption);
        parts.add("picture", new ByteArrayResource(content) {
            @Override
            public String getFilename() {
                return "picture.png";
            }
        });
        return RestClient.create().post().uri(baseUrl + "/photos").body(parts).exchange((request, response) -> {
            HttpStatusCode status = response.getStatusCode();
            String body = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(
                    status.value(), String.valueOf(response.getHeaders().getContentType()), Api.json(body));
        });
    }

    private HttpResponse<byte[]> fetch(String path, String tag) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + path));
        if (!tag.isEmpty()) {
            request.header("If-None-Match", tag);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static BufferedImage read(HttpResponse<byte[]> response) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(response.body()));
    }

    private static byte[] drawn(String kind, int width, int height) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(new Scenery(3).draw(width, height), kind, bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }
}
