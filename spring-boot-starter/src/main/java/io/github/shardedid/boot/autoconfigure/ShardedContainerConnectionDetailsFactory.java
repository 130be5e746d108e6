package io.github.shardedid.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.JdbcDatabaseContainer;

/**
 * Creates connection details of containers: the name of a {@code @ServiceConnection} is the name of its database. Boot creates
 * details of each container, but registers only the first as a bean, which therefore must know the others, too.
 */
final class ShardedContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<JdbcDatabaseContainer<?>, ShardedConnectionDetails> {
    private final List<NamedContainer> all = new CopyOnWriteArrayList<>();

    ShardedContainerConnectionDetailsFactory() {
        super(ANY_CONNECTION_NAME);
    }

    @Override
    protected ShardedConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<JdbcDatabaseContainer<?>> source) {
        NamedContainer container = new NamedContainer(source);
        all.add(container);
        return container;
    }

    private final class NamedContainer extends ContainerConnectionDetails<JdbcDatabaseContainer<?>>
            implements ShardedConnectionDetails {
        private final ContainerConnectionSource<JdbcDatabaseContainer<?>> source;

        NamedContainer(ContainerConnectionSource<JdbcDatabaseContainer<?>> source) {
            super(source);
            this.source = source;
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
