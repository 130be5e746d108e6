package io.github.shardedid.boot.docker;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** Creates connection details of services: the label of a service is the name of its database. */
final class ShardedDockerComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<ShardedConnectionDetails> {
    static final String LABEL = "io.github.shardedid.database";

    private static final int PORT = 5432;
    private static final String USER = "postgres";

    ShardedDockerComposeConnectionDetailsFactory() {
        super((DockerComposeConnectionSource source) -> isLabelled(source.getRunningService()));
    }

    static boolean isLabelled(RunningService service) {
        return service.labels().containsKey(LABEL);
    }

    @Override
    protected ShardedConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new LabelledService(source.getRunningService());
    }

    static final class LabelledService extends DockerComposeConnectionDetails implements ShardedConnectionDetails {
        private final RunningService service;

        LabelledService(RunningService service) {
            super(service);
            this.service = service;
        }

        /** Reads the environment variables of the official image. */
        @Override
        public @Nullable Connection connectionTo(String database) {
            if (!database.equalsIgnoreCase(service.labels().get(LABEL))) {
                return null;
            }
            String username = service.env().getOrDefault("POSTGRES_USER", USER);
            String name = service.env().getOrDefault("POSTGRES_DB", username);
            String url = "jdbc:postgresql://" + service.host() + ":"
                    + service.ports().get(PORT) + "/" + name;
            return new Connection(url, username, service.env().get("POSTGRES_PASSWORD"));
        }
    }
}
