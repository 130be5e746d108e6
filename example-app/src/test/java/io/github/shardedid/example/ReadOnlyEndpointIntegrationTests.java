package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** The endpoint as it is where nobody has switched it on. */
@TestPropertySource(properties = "management.endpoint.shards.access=read-only")
class ReadOnlyEndpointIntegrationTests extends OnThreeServers {
    @Test
    void theMapIsShownAndNothingIsMoved() {
        api().get("/actuator/shards").expecting(200);
        String home = api().get("/actuator/shards/0").expecting(200).text("database");
        assertThat(home).isEqualTo("pg1");

        api().post("/actuator/shards/0", "{\"action\": \"move\", \"to\": \"pg2\"}")
                .expecting(405);

        assertThat(api().get("/actuator/shards").body().get("moves")).isEmpty();
        assertThat(api().get("/actuator/shards/0").text("database")).isEqualTo(home);
    }
}
