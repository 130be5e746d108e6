package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.example.Api.Answer;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "example.samples=false")
@DirtiesContext
class DatabaseDownIntegrationTests {
    private static final PostgresServer STAYS = PostgresServers.start();
    private static final PostgresServer STOPS = PostgresServers.start();
    private static final Databases DATABASES = Databases.on(List.of(STAYS, STOPS));

    @Value("http://localhost:${local.server.port}")
    @SuppressWarnings("NullAway.Init")
    private String baseUrl;

    @DynamicPropertySource
    static void databases(DynamicPropertyRegistry registry) {
        DATABASES.register(registry);
    }

    @AfterAll
    static void closeServers() {
        STAYS.close();
        STOPS.close();
    }

    @Test
    void aDatabaseThatIsDownTakesOnlyItsOwnUsersWithItAndComesBack() {
        Api api = new Api(baseUrl);
        String staying = userOn("pg1", api);
        String leaving = userOn("pg2", api);
        String photo = api.photo(staying, "Stays");

        STOPS.stop();

        for (int i = 0; i < 3; i++) {
            Answer down = api.get("/users/" + leaving).expecting(503);
            assertThat(down.contentType()).startsWith("application/problem+json");
            assertThat(down.text("detail"))
                    .contains("pg2")
                    .doesNotContain("pg1")
                    .doesNotContain("password");
        }
        api.get("/users/" + staying).expecting(200);
        api.photo(staying, "Posted meanwhile");
        api.like(photo, staying).expecting(201);
        assertThat(api.like(photo, leaving).expecting(503).text("detail")).contains("pg2");
        assertThat(api.post("/photos", "{\"author\": \"%s\", \"caption\": \"x\"}".formatted(leaving))
                        .expecting(503)
                        .text("detail"))
                .contains("pg2");
        api.get("/shards").expecting(200);
        Answer everybody = api.get("/photos").expecting(200);
        assertThat(everybody.text("missing")).isEqualTo("32-63");
        assertThat(PhotoSharingIntegrationTests.values(everybody.body().get("items"), "id"))
                .contains(photo);
        api.get("/ids/" + leaving).expecting(200);

        STOPS.start();

        await().atMost(Duration.ofMinutes(1))
                .until(() -> api.get("/users/" + leaving).status() == 200);
        api.photo(leaving, "Back again");
    }

    private static String userOn(String database, Api api) {
        for (int i = 0; ; i++) {
            String user = api.user("somebody-for-" + database + "-" + i);
            if (DATABASES.homeOf(Long.parseLong(user)).equals(database)) {
                return user;
            }
        }
    }
}
