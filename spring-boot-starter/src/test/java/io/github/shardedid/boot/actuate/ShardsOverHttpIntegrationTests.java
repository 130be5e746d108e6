package io.github.shardedid.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.startup.MovedShards;
import io.github.shardedid.boot.web.Http;
import io.github.shardedid.boot.web.Http.Answer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The actuator's endpoint as an operator with curl uses it, on real databases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardsOverHttpIntegrationTests {
    private static final String SHARDS = "/actuator/shards";
    private static final String TO = "{\"action\": \"move\", \"to\": \"%s\"}";

    private final MovedShards cluster = new MovedShards();
    private final String role = "operator_" + UUID.randomUUID().toString().replace("-", "");
    private final String password = "s3cret-" + UUID.randomUUID();
    private ConfigurableApplicationContext application = start("management.endpoint.shards.access=unrestricted");
    private Http http = new Http(application);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    static class App {}

    private ConfigurableApplicationContext start(String... more) {
        for (String name : new String[] {"pg1", "pg2"}) {
            (name.equals("pg1") ? cluster.pg1() : cluster.pg2())
                    .execute("DO $$ BEGIN CREATE ROLE " + role + " SUPERUSER LOGIN PASSWORD '" + password
                            + "'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
                            // What it makes belongs to whoever has provisioned.
                            + " ALTER ROLE " + role + " SET role = "
                            + cluster.pg1().server().username());
        }
        return new SpringApplicationBuilder(App.class)
                .properties(cluster.properties().toArray(String[]::new))
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "management.endpoints.web.exposure.include=shards",
                        "sharded-id.databases.pg1.username=" + role,
                        "sharded-id.databases.pg1.password=" + password,
                        "sharded-id.databases.pg2.username=" + role,
                        "sharded-id.databases.pg2.password=" + password)
                .properties(more)
                .run();
    }

    @BeforeAll
    void listens() {
        assertThat(http.get(SHARDS).status()).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private void isRefused(Answer answer, int status, String... words) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.json().get("status").asInt()).isEqualTo(status);
        assertThat(answer.json().get("title").asString()).isNotBlank();
        assertThat(answer.json().get("detail").asString()).contains(words);
        holdsNoSecret(answer);
    }

    private void holdsNoSecret(Answer answer) {
        assertThat(answer.text())
                .isNotBlank()
                .doesNotContain(
                        password,
                        role,
                        "jdbc:",
                        cluster.pg1().name(),
                        cluster.pg2().name());
    }

    @Test
    void whatIsShownHoldsNoSecret() {
        for (String path : List.of("", "/0")) {
            Answer answer = http.get(SHARDS + path);
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            holdsNoSecret(answer);
        }
    }

    @Test
    void aRefusedMoveIsAConflict() {
        isRefused(http.post(SHARDS + "/0", TO.formatted("pg1")), 409, "Shard 0", "pg1");
        isRefused(http.post(SHARDS + "/0", "{\"action\": \"resume\"}"), 409, "Shard 0 has no unfinished move");
        isRefused(http.post(SHARDS + "/0", "{\"action\": \"abort\"}"), 409, "Shard 0 has no unfinished move");
        assertThat(http.get(SHARDS).json().get("underWay")).isEmpty();
    }

    @Test
    void whatThereIsNotIsNotFound() {
        isRefused(http.get(SHARDS + "/4"), 404, "no shard 4", "0 to 3");
        isRefused(http.get(SHARDS + "/-1"), 404, "no shard -1");
        isRefused(http.post(SHARDS + "/4", TO.formatted("pg1")), 404, "no shard 4");
    }

    @Test
    void whatCannotBeReadIsABadRequest() {
        isRefused(http.get(SHARDS + "/first"), 400, "first", "numbered from 0");
        isRefused(http.post(SHARDS + "/0", TO.formatted("pg9")), 400, "pg9", "pg2");
        isRefused(http.post(SHARDS + "/0", "{\"action\": \"move\"}"), 400, "set \"to\"");
        isRefused(http.post(SHARDS + "/0", "{\"action\": \"fly\"}"), 400, "fly", "resume");
        isRefused(http.post(SHARDS + "/0", "{}"), 400, "action");
    }

    @Test
    void plansAreBegunOrRefused() {
        isRefused(http.post(SHARDS, "{\"action\": \"drain\", \"of\": \"pg9\"}"), 409, "pg9");
        isRefused(http.post(SHARDS, "{\"action\": \"fly\"}"), 400, "fly", "rebalance");
    }

    @Test
    void aShardIsMovedAndNothingIsLeftUnderWay() {
        Answer begun = http.post(SHARDS + "/1", TO.formatted("pg2"));
        assertThat(begun.status()).as(begun.text()).isEqualTo(200);
        holdsNoSecret(begun);
        await().until(() -> http.get(SHARDS).json().get("underWay").isEmpty());

        Answer moved = http.get(SHARDS + "/1");
        assertThat(moved.json().get("moves").get(0).get("step").asString()).isEqualTo("DONE");
        holdsNoSecret(moved);
    }

    @Test
    void nothingCanBeChangedUntilThatIsSwitchedOn() {
        for (String access : new String[] {
            "management.endpoints.web.exposure.include=*", "management.endpoint.shards.access=read-only"
        }) {
            try (ConfigurableApplicationContext careful = start(access)) {
                Http reading = new Http(careful);
                for (String action : new String[] {"move\", \"to\": \"pg2", "resume", "abort"}) {
                    assertThat(reading.post(SHARDS + "/0", "{\"action\": \"" + action + "\"}")
                                    .status())
                            .isEqualTo(405);
                }
                assertThat(reading.get(SHARDS + "/0").json().get("moves")).isEmpty();
            }
        }
        try (ConfigurableApplicationContext none = start("management.endpoint.shards.access=none")) {
            assertThat(new Http(none).get(SHARDS).status()).isEqualTo(404);
        }
    }
}
