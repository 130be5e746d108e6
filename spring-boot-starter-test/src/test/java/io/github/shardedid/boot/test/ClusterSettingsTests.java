package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

/** The number of shards of a test. */
class ClusterSettingsTests {
    @ParameterizedTest
    @CsvSource({
        "0, '', '', 8",
        "0, 2000, '', 8",
        "0, 4, '', 4",
        "0, 4, 2, 4",
        "0, '', 2, 4",
        "0, 1, '', 2",
        "4, 2000, 2, 4",
        "16, 4, '', 16"
    })
    void theNumberOfTheApplicationIsKeptIfItIsSmall(int annotated, String configured, String bits, int expected) {
        MockEnvironment environment = new MockEnvironment();
        if (!configured.isEmpty()) {
            environment.setProperty("sharded-id.shards", configured);
        }
        if (!bits.isEmpty()) {
            environment.setProperty("sharded-id.layout.shard-bits", bits);
        }
        assertThat(new ClusterSettings(2, annotated, Servers.AUTO, "")
                        .in(environment)
                        .shards())
                .isEqualTo(expected);
    }

    @Test
    void theAnnotationIsNamedIfTheLayoutHasFewerShards() {
        MockEnvironment environment = new MockEnvironment().withProperty("sharded-id.layout.shard-bits", "2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterSettings(2, 8, Servers.AUTO, "").in(environment))
                .withMessageStartingWith("@AutoConfigureShardedCluster(databases = 2, shards = 8) does not fit")
                .withMessageContaining("sharded-id.layout.shard-bits = 2")
                .withMessageContaining("at most 4 shards");
    }
}
