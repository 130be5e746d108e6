package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.autoconfigure.ServiceConnections.ShardedDockerComposeConnectionDetailsFactory;
import io.github.shardedid.boot.autoconfigure.ServiceConnections.ShardedDockerComposeConnectionDetailsFactory.LabelledService;
import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails.Connection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;

class DockerComposeTests {
    private static final Map<String, String> LABEL = Map.of("io.github.shardedid.database", "pg1");

    private record Service(Map<String, String> env, Map<String, String> labels) implements RunningService {
        @Override
        public String name() {
            return "first";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of("postgres:18");
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    return containerPort + 10_000;
                }

                @Override
                public List<Integer> getAll() {
                    return List.of(15_432);
                }

                @Override
                public List<Integer> getAll(@Nullable String protocol) {
                    return getAll();
                }
            };
        }
    }

    @Test
    void aServiceIsTheDatabaseThatItsLabelNames() {
        LabelledService service = new LabelledService(new Service(
                Map.of("POSTGRES_USER", "app", "POSTGRES_PASSWORD", "s3cret", "POSTGRES_DB", "photos"), LABEL));

        assertThat(service.connectionTo("pg1"))
                .isEqualTo(new Connection("jdbc:postgresql://127.0.0.1:15432/photos", "app", "s3cret"))
                .satisfies(connection -> assertThat(connection.toString()).doesNotContain("s3cret"));
        assertThat(service.connectionTo("pg2")).isNull();
    }

    @Test
    void whatTheImageTakesForGrantedIsTakenForGranted() {
        assertThat(new LabelledService(new Service(Map.of(), LABEL)).connectionTo("pg1"))
                .isEqualTo(new Connection("jdbc:postgresql://127.0.0.1:15432/postgres", "postgres", null));
    }

    @Test
    void aServiceWithoutTheLabelIsLeftToOthers() {
        assertThat(ShardedDockerComposeConnectionDetailsFactory.isLabelled(new Service(Map.of(), Map.of())))
                .isFalse();
        assertThat(ShardedDockerComposeConnectionDetailsFactory.isLabelled(new Service(Map.of(), LABEL)))
                .isTrue();
    }
}
