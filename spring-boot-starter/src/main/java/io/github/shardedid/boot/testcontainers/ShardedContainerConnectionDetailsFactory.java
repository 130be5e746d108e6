package io.github.shardedid.boot.testcontainers;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.JdbcDatabaseContainer;

/**
 * Takes a container for the database that its {@code @ServiceConnection} names. Boot asks for the details of each container,
 * but makes a bean of the first only, so that this one must know the others, too.
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
                // Of what is no bean nobody else asks for the container.
                afterPropertiesSet();
            } catch (Exception e) {
                throw new IllegalStateException("The container of database " + database + " cannot be had.", e);
            }
            JdbcDatabaseContainer<?> container = getContainer();
            return new Connection(container.getJdbcUrl(), container.getUsername(), container.getPassword());
        }
    }
}
