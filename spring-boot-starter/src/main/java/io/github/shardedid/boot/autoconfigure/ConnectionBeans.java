package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.util.Credentials;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Database;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The beans of an application that know how databases are connected to, in preference to the properties.
 *
 * @param details asked for each new connection
 * @param customizers called for each pool
 */
public record ConnectionBeans(
        Collection<ShardedConnectionDetails> details, Collection<ShardedPoolCustomizer> customizers) {
    /** No beans: the properties alone. */
    static final ConnectionBeans NONE = new ConnectionBeans(List.of(), List.of());

    /**
     * Gets the beans of an application.
     *
     * @param beans of the application
     * @return its beans for connections
     */
    public static ConnectionBeans of(ListableBeanFactory beans) {
        return new ConnectionBeans(
                ordered(ShardedConnectionDetails.class, beans), ordered(ShardedPoolCustomizer.class, beans));
    }

    private static <T> List<T> ordered(Class<T> type, ListableBeanFactory beans) {
        return beans.getBeanProvider(type, false).orderedStream().toList();
    }

    /** A database with what is known of its connection now. */
    Database connected(String name, Database database) {
        ShardedConnectionDetails.Connection connection = connection(name);
        return connection == null
                ? database
                : new Database(
                        connection.url(),
                        database.directUrl(),
                        connection.username(),
                        connection.password(),
                        database.shards(),
                        database.hikari(),
                        database.replicas(),
                        database.replication());
    }

    private ShardedConnectionDetails.@Nullable Connection connection(String database) {
        ShardedConnectionDetails.Connection found = null;
        for (ShardedConnectionDetails each : details) {
            ShardedConnectionDetails.Connection connection = each.connectionTo(database);
            if (connection != null && found != null) {
                throw new ClusterConfigurationException(
                        "Two beans of type ShardedConnectionDetails know how to connect to database "
                                + database + ". Give each container the name of one database, such as"
                                + " @ServiceConnection(name = \"" + database + "\").");
            }
            found = connection == null ? found : connection;
        }
        return found;
    }

    /** Lets a pool with the credentials of a bean ask for them before each connection. User and password in a URL stay as they are. */
    void refresh(String database, HikariConfig pool) {
        ShardedConnectionDetails.Connection first = connection(database);
        if (first == null || first.username() == null || !first.username().equals(pool.getUsername())) {
            return;
        }
        pool.setCredentialsProvider(() -> {
            ShardedConnectionDetails.Connection now = Objects.requireNonNullElse(connection(database), first);
            return Credentials.of(now.username(), now.password());
        });
    }

    void customize(String database, HikariConfig pool) {
        customizers.forEach(customizer -> customizer.customize(database, pool));
    }
}
