package io.github.shardedid.boot.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.boot.web.Http;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Claims of rows that have none, by commands of the command line and by the actuator's endpoint. Shards 0 to 3 are on pg1. */
class ClaimsToolsIntegrationTests {
    private static final String BUILD = "sharded-id.unique-values.build=true";

    private final List<TestDatabase> databases = new ArrayList<>();
    private final List<String> properties = new ArrayList<>(List.of(
            "spring.main.banner-mode=off",
            "sharded-id.shards=8",
            "sharded-id.migrations=classpath:db/unique",
            "sharded-id.databases.pg1.shards=0-3",
            "sharded-id.databases.pg2.shards=4-7"));

    /** The rows of an application whose addresses were not unique yet: two of them are one address. */
    @BeforeEach
    void store() {
        for (int i = 1; i <= 2; i++) {
            TestDatabase database = PostgresServers.shared(i).newDatabase();
            databases.add(database);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
        }
        start("spring.main.web-application-type=none").close();
        databases.get(0).execute("DELETE FROM shard_0000.sharded_id_claim");
        insert(1, "ann@example.org");
        insert(2, "bob@example.org");
        insert(6, "ANN@example.org");
    }

    @AfterEach
    void drop() {
        databases.forEach(TestDatabase::drop);
    }

    private void insert(int shard, String email) {
        databases
                .get(shard / 4)
                .execute("INSERT INTO shard_000" + shard + ".customer (id, email) SELECT shard_000" + shard
                        + ".next_id('shard_000" + shard + ".customer_id_seq'), '" + email + "'");
    }

    private ConfigurableApplicationContext start(String... more) {
        return new SpringApplicationBuilder(UniqueApp.class)
                .properties(Stream.concat(properties.stream(), Stream.of(more)).toArray(String[]::new))
                .run();
    }

    /** Runs the application as a process of its own. */
    private String run(int code, String... arguments) throws Exception {
        List<String> command = JavaCommand.of(UniqueApp.class.getName());
        Stream.concat(properties.stream(), Stream.of(arguments)).forEach(each -> command.add("--" + each));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(code);
        return output;
    }

    @Test
    void commandsBuildAndCheck() throws Exception {
        assertThat(run(1, "spring.main.web-application-type=none"))
                .contains("Rows have values of", "Customer.email", BUILD, "--sharded-id.build-claims");
        assertThat(run(1, BUILD, "sharded-id.build-claims"))
                .contains("have one value of", "(shard 1)", "(shard 6)", "not all rows have claimed")
                .doesNotContain("example.org");
        databases.get(1).execute("UPDATE shard_0006.customer SET email = 'ann2@example.org'");
        assertThat(run(0, BUILD, "sharded-id.build-claims")).contains("all rows have claimed their values");
        insert(7, "carl@example.org");
        assertThat(run(1, "sharded-id.check-claims")).contains("(shard 7) has no claim");
        databases.get(1).execute("DELETE FROM shard_0007.customer");
        assertThat(run(0, "sharded-id.check-claims=remove")).contains("0 values without a claim");
        assertThat(run(1, "sharded-id.check-claims=all")).contains("cannot be \"all\"");
    }

    @Test
    void theEndpointIsOffUnlessItsAccessIsGivenAndBuilds() {
        String[] web = {
            "spring.main.web-application-type=servlet",
            "server.port=0",
            "management.endpoints.web.exposure.include=claims,health",
            "management.endpoint.health.show-details=always",
            BUILD
        };
        try (var closed = start(web)) {
            assertThat(new Http(closed).get("/actuator/claims").status()).isEqualTo(404);
        }
        List<String> opened = new ArrayList<>(List.of(web));
        opened.add("management.endpoint.claims.access=unrestricted");
        try (var operator = start(opened.toArray(String[]::new))) {
            Http http = new Http(operator);
            assertThat(http.get("/actuator/claims").json().get("unbuilt").toString())
                    .contains("customer(lower(email))");
            assertThat(http.get("/actuator/health").text())
                    .contains("Not all rows have claimed their values of customer(lower(email))");
            assertThat(http.post("/actuator/claims/destroy", "{}").status()).isEqualTo(400);
            assertThat(built(http)).contains("(shard 1)", "(shard 6)").doesNotContain("example.org");
            databases.get(1).execute("DELETE FROM shard_0006.customer");
            assertThat(built(http)).isEqualTo("[]");
            assertThat(http.get("/actuator/health").text()).doesNotContain("claimed");
        }
    }

    /** Returns the problems of a build. */
    private static String built(Http http) {
        assertThat(http.post("/actuator/claims/build", "{}").status()).isEqualTo(200);
        await().atMost(Duration.ofMinutes(2)).until(() -> !http.get("/actuator/claims")
                .json()
                .get("work")
                .get("running")
                .asBoolean());
        return http.get("/actuator/claims").json().get("work").get("problems").toString();
    }
}
