package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.web.Http;
import io.github.shardedid.boot.web.Http.Answer;
import io.github.shardedid.test.PostgresServers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rows of one user by the actuator's endpoint. */
@Tag("quick")
class KeyRowsEndpointIntegrationTests {
    private static final String[] WEB = {
        "spring.main.web-application-type=servlet", "server.port=0", "management.endpoints.web.exposure.include=keyrows"
    };

    private final RunningApp app = RunningApp.on(PostgresServers.shared(1), PostgresServers.shared(2), WEB);
    private final UserRows rows = new UserRows(app);

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void theEndpointIsOffUnlessItsAccessIsGiven() {
        String user = "/actuator/keyrows/User/" + rows.userWithPhotos(5).id();
        assertThat(new Http(app.context).get(user).status()).isEqualTo(404);
        try (var reader = app.start(List.of(WEB[0], WEB[1], WEB[2], "management.endpoint.keyrows.access=read-only")
                .toArray(String[]::new))) {
            Http http = new Http(reader);
            assertThat(http.get(user).json().get("tables").size()).isGreaterThan(3);
            assertThat(http.get(user + "/export").text()).contains("photo 1");
            assertThat(http.delete(user).status()).isIn(404, 405);
        }
        try (var operator = app.start(List.of(WEB[0], WEB[1], WEB[2], "management.endpoint.keyrows.access=unrestricted")
                .toArray(String[]::new))) {
            Http http = new Http(operator);
            User other = rows.userWithPhotos(5);
            Answer unknown = http.get("/actuator/keyrows/Stranger/1");
            assertThat(unknown.status()).isEqualTo(409);
            assertThat(unknown.json().get("detail").asString()).contains("No sharded entities are named Stranger");
            assertThat(http.get("/actuator/keyrows/User/" + Long.MAX_VALUE).status())
                    .isEqualTo(404);
            assertThat(http.get(user + "/import").status()).isEqualTo(400);
            Answer erased = http.delete(user);
            assertThat(erased.status()).as(erased.text()).isEqualTo(200);
            assertThat(rows.of(5)).hasSize(10);
            assertThat(http.delete(user).status()).isEqualTo(409);
            assertThat(http.get("/actuator/keyrows/User/" + other.id()).status())
                    .isEqualTo(200);
        }
    }
}
