package io.github.shardedid.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.JdbcDatabaseContainer;

/** Connection details of the databases of development and tests: services of Docker Compose, and containers. */
final class ServiceConnections {
    private ServiceConnections() {}

    /** Creates connection details of services: the label of a service is the name of its database. */
    static final class ShardedDockerComposeConnectionDetailsFactory
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

    /**
     * Creates connection details of containers: the name of a {@code @ServiceConnection} is the name of its database. Boot creates
     * details of each container, but registers only the first as a bean, which therefore must know the others, too.
     */
    static final class ShardedContainerConnectionDetailsFactory
            extends ContainerConnectionDetailsFactory<JdbcDatabaseContainer<?>, ShardedConnectionDetails> {
        private final List<NamedContainer> all = new CopyOnWriteArrayList<>();

        ShardedContainerConnectionDetailsFactory() {
            super(ANY_CONNECTION_NAME);
        }

        @Override
        protected ShardedConnectionDetails getContainerConnectionDetails(
                ContainerConnectionSource<JdbcDatabaseContainer<?>> source) {
            NamedContainer container = new NamedContainer(source, all);
            all.add(container);
            return container;
        }

        private static final class NamedContainer extends ContainerConnectionDetails<JdbcDatabaseContainer<?>>
                implements ShardedConnectionDetails {
            private final ContainerConnectionSource<JdbcDatabaseContainer<?>> source;
            private final List<NamedContainer> all;

            NamedContainer(ContainerConnectionSource<JdbcDatabaseContainer<?>> source, List<NamedContainer> all) {
                super(source);
                this.source = source;
                this.all = all;
            }

            @Override
            public @Nullable Connection connectionTo(String database) {
                for (NamedContainer each : all) {
                    if (each.source.accepts(database, JdbcDatabaseContainer.class, ShardedConnectionDetails.class)) {
                        return each.connection(database);
                    }
                }
                return null;
            }

            private Connection connection(String database) {
                try {
                    // Boot calls this on beans only.
                    afterPropertiesSet();
                } catch (Exception e) {
                    throw new IllegalStateException("The container of database " + database + " is not available.", e);
                }
                JdbcDatabaseContainer<?> container = getContainer();
                return new Connection(container.getJdbcUrl(), container.getUsername(), container.getPassword());
            }
        }
    }
}
