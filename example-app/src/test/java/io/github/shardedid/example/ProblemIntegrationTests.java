package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.example.Api.Answer;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemIntegrationTests extends OnThreeServers {
    /** An id of shard 5, and one of shard 8000, which a cluster of 64 shards does not have. */
    private static final long NOBODY = 90_000_000_000L << 23 | 5 << 10;

    private static final long ELSEWHERE = 90_000_000_000L << 23 | 8000 << 10;

    @Test
    void unknownIdsAreNotFound() {
        for (long id : new long[] {NOBODY, ELSEWHERE}) {
            assertThat(problem(api().get("/users/" + id), 404).text("detail")).contains("no user " + id);
            assertThat(problem(api().get("/photos/" + id), 404).text("detail")).contains("no photo " + id);
            problem(api().get("/users/" + id + "/photos"), 404);
            problem(api().get("/photos/" + id + "/likes"), 404);
            problem(api().get("/photos/" + id + "/comments"), 404);
            problem(api().post("/photos", "{\"author\": \"" + id + "\", \"caption\": \"x\"}"), 404);
            problem(api().like(Long.toString(id), Long.toString(id)), 404);
        }
        problem(api().get("/users?name=nobody"), 404);
        assertThat(problem(api().get("/no-such-path"), 404).text("detail")).contains("nothing at /no-such-path");
    }

    @Test
    void aNegativeNumberIsTheIdOfNothing() {
        problem(api().get("/users/-5"), 404);
        problem(api().get("/photos/-5"), 404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"9223372036854775808", "12345678901234567890123", "caf%C3%A9", "%20", "A.B", "zzzzzzzzzzzzz"})
    void whatIsNoIdIsRefused(String id) {
        assertThat(problem(api().get("/users/" + id), 400).text("detail")).contains("id");
        problem(api().get("/photos/" + id), 400);
        problem(api().get("/ids/" + id), 400);
        problem(api().get("/users/" + id + "/photos"), 400);
    }

    @Test
    void anIdOfAShardThatTheClusterDoesNotHaveIsDecodedWithoutAHome() {
        Answer decoded = api().get("/ids/" + ELSEWHERE).expecting(200);

        assertThat(decoded.body().get("shard").asInt()).isEqualTo(8000);
        assertThat(decoded.body().get("database").isNull()).isTrue();
        assertThat(decoded.body().get("schema").isNull()).isTrue();
    }

    @Test
    void aNameIsTakenOnlyOnceOverAllShards() {
        String name = newName();
        api().user(name);

        assertThat(problem(api().post("/users", "{\"name\": \"" + name + "\"}"), 409)
                        .text("detail"))
                .contains(name)
                .contains("taken");
        problem(api().post("/users", "{\"name\": \"  " + name + " \"}"), 409);
    }

    @Test
    void aNameInUpperCaseIsTakenWhateverShardItsHashChooses() {
        for (int i = 0; i < 8; i++) {
            String name = newName();
            api().user(name);

            assertThat(problem(api().post("/users", "{\"name\": \"" + name.toUpperCase(Locale.ROOT) + "\"}"), 409)
                            .text("detail"))
                    .contains(name.toUpperCase(Locale.ROOT))
                    .contains("taken");
        }
    }

    @Test
    void whatIsNotValidIsRefusedAndTheFieldNamed() {
        String user = api().user(newName());

        assertThat(problem(api().post("/users", "{\"name\": \" \"}"), 400)
                        .body()
                        .get("errors")
                        .has("name"))
                .isTrue();
        problem(api().post("/users", "{\"name\": \"" + "x".repeat(41) + "\"}"), 400);
        problem(api().post("/users", "{}"), 400);
        problem(api().post("/users", "{\"name\": "), 400);
        assertThat(problem(api().post("/photos", "{\"author\": \"" + user + "\", \"caption\": \"\"}"), 400)
                        .text("detail"))
                .contains("caption");
        for (String page : new String[] {"limit=0", "limit=101", "limit=many", "before=nonsense!"}) {
            problem(api().get("/users/" + user + "/photos?" + page), 400);
        }
        problem(api().get("/users"), 400);
    }

    private static Answer problem(Answer answer, int status) {
        answer.expecting(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(answer.body().get("status").asInt()).isEqualTo(status);
        return answer;
    }
}
