package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster;
import io.github.shardedid.boot.test.ShardedCluster;
import io.github.shardedid.example.Api.Answer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

/** The servers that the example starts by itself stay away where databases are named. */
@Tag("slow")
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"example.samples=false", "sharded-id.databases.pg1.shards=0-63"})
@AutoConfigureShardedCluster
@Tag("embedded-only")
class DatabaseDownIntegrationTests {
    @Autowired
    @SuppressWarnings("NullAway.Init")
    private ShardedCluster cluster;

    @Value("http://localhost:${local.server.port}")
    @SuppressWarnings("NullAway.Init")
    private String baseUrl;

    @Test
    void aDatabaseThatIsDownTakesOnlyItsOwnUsersWithItAndComesBack() {
        Api api = new Api(baseUrl);
        String staying = userOn("pg1", api);
        String leaving = userOn("pg2", api);
        String photo = api.photo(staying, "Stays");

        cluster.stop("pg2");

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
        assertThat(everybody.text("missing")).isEqualTo("4-7");
        assertThat(PhotoSharingIntegrationTests.values(everybody.body().get("items"), "id"))
                .contains(photo);
        api.get("/ids/" + leaving).expecting(200);

        cluster.start("pg2");

        await().until(() -> api.get("/users/" + leaving).status() == 200);
        api.photo(leaving, "Back again");
    }

    private String userOn(String database, Api api) {
        for (int i = 0; ; i++) {
            String user = api.user("somebody-for-" + database + "-" + i);
            if (cluster.id(Long.parseLong(user)).database().equals(database)) {
                return user;
            }
        }
    }
}
