package io.github.shardedid.boot.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The document that springdoc makes. */
@Tag("slow")
class OpenApiTests {
    private static final String DIGITS = "^[0-9]{1,19}$";
    private static final String EITHER = "^([0-9]{1,19}|[A-Za-z0-9_-]{1,11})$";

    private static JsonNode document(String... properties) {
        try (ConfigurableApplicationContext application = IdsApp.start(properties)) {
            return new Http(application).get("/v3/api-docs").json();
        }
    }

    private static JsonNode view(JsonNode document) {
        return document.get("components").get("schemas").get("View").get("properties");
    }

    private static void isText(JsonNode schema, String pattern) {
        assertThat(schema.path("type").asString("")).as(schema.toString()).isEqualTo("string");
        assertThat(schema.path("pattern").asString("")).as(schema.toString()).isEqualTo(pattern);
        assertThat(schema.has("format")).as(schema.toString()).isFalse();
    }

    private static void isNumber(JsonNode schema) {
        assertThat(schema.path("type").asString("")).as(schema.toString()).isEqualTo("integer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"openapi_3_0", "openapi_3_1"})
    void idsAreStrings(String version) {
        JsonNode document = document("springdoc.api-docs.version=" + version);
        JsonNode view = view(document);

        isText(view.get("id"), DIGITS);
        isText(view.get("author"), DIGITS);
        isText(view.get("likedBy").get("items"), DIGITS);
        isText(view.get("pinned").get("additionalProperties"), DIGITS);
        isText(view.get("cover"), DIGITS);
        isNumber(view.get("timesSeenBy").get("additionalProperties"));
        isNumber(view.get("likes"));
        isText(
                document.get("components")
                        .get("schemas")
                        .get("Person")
                        .get("properties")
                        .get("id"),
                DIGITS);
        JsonNode paths = document.get("paths");
        isText(parameter(paths, "/photos/{id}", 0).get("schema"), EITHER);
        isText(parameter(paths, "/photos", 0).get("schema"), EITHER);
        isText(parameter(paths, "/photos", 1).get("schema").get("items"), EITHER);
        isNumber(parameter(paths, "/photos", 2).get("schema"));
        isText(parameter(paths, "/header", 0).get("schema"), EITHER);
    }

    private static JsonNode parameter(JsonNode paths, String path, int index) {
        return paths.get(path).get("get").get("parameters").get(index);
    }

    @Test
    void thePatternIsThatOfTheFormAndTheLayout() {
        isText(view(document("sharded-id.json.ids-as=short-text")).get("id"), "^[A-Za-z0-9_-]{1,11}$");
        JsonNode narrow = document(
                "sharded-id.layout.unit=seconds",
                "sharded-id.layout.timestamp-bits=25",
                "sharded-id.layout.shard-bits=2",
                "sharded-id.layout.sequence-bits=5",
                "sharded-id.jvm-nodes=0",
                "sharded-id.hikari.connection-timeout=250",
                "sharded-id.shards=4",
                "sharded-id.databases.pg1.shards=0-3");
        isText(view(narrow).get("id"), "^[0-9]{1,10}$");
    }

    @Test
    void numbersStayNumbersInJsonWhereTheyAreWanted() {
        JsonNode document = document("sharded-id.json.ids-as=number");

        isNumber(view(document).get("id"));
        isNumber(view(document).get("likedBy").get("items"));
        isText(parameter(document.get("paths"), "/photos/{id}", 0).get("schema"), EITHER);
    }
}
