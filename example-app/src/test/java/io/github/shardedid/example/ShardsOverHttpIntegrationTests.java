package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.example.Api.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The starter's endpoint of the actuator, as an operator with curl uses it. */
@Tag("embedded-only")
class ShardsOverHttpIntegrationTests {
    private final Api api = RunningExample.api();

    @Test
    void aShardIsMovedThereAndBack() {
        String from = api.get("/actuator/shards/40").text("database");
        for (String to : new String[] {from.equals("pg1") ? "pg2" : "pg1", from}) {
            api.post("/actuator/shards/40", "{\"action\": \"move\", \"to\": \"%s\"}".formatted(to))
                    .expecting(200);
            await().until(() -> !underWay().contains("40"));
            Answer moved = api.get("/actuator/shards/40").expecting(200);
            assertThat(moved.text("database")).isEqualTo(to);
            assertThat(moved.body().get("moves").get(0).get("step").asString()).isEqualTo("DONE");
        }
    }

    /** Whoever reaches the endpoint can move shards. On Linux, all of 127.0.0.0/8 is this machine. */
    @Test
    void onlyTheLoopbackAddressIsListenedOn() {
        int port = URI.create(RunningExample.baseUrl()).getPort();
        assertThatThrownBy(() -> new Socket("127.0.0.2", port)).isInstanceOf(IOException.class);
    }

    /** The shards of what was asked for and is not done; what has failed stays there. */
    private List<String> underWay() {
        return PhotoSharingIntegrationTests.values(
                api.get("/actuator/shards").expecting(200).body().get("underWay"), "shard");
    }
}
