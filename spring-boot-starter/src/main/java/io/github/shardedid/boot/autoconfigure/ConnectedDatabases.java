package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Database;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Databases with the connections that beans know, in preference to those of the properties. */
final class ConnectedDatabases {
    private ConnectedDatabases() {}

    static Map<String, Database> of(Map<String, Database> configured, Collection<ShardedConnectionDetails> details) {
        Map<String, Database> databases = new LinkedHashMap<>();
        configured.forEach((name, database) -> {
            ShardedConnectionDetails.Connection connection = connection(name, details);
            databases.put(name, connection == null ? database : connected(database, connection));
        });
        return databases;
    }

    private static ShardedConnectionDetails.@Nullable Connection connection(
            String database, Collection<ShardedConnectionDetails> details) {
        ShardedConnectionDetails.Connection found = null;
        for (ShardedConnectionDetails each : details) {
            ShardedConnectionDetails.Connection connection = each.connectionTo(database);
            if (connection != null && found != null) {
                throw new ShardedIdPropertiesException(
                        "Two beans of type ShardedConnectionDetails know how to connect to database "
                                + database + ". Give each container the name of one database, such as"
                                + " @ServiceConnection(name = \"" + database + "\").");
            }
            found = connection == null ? found : connection;
        }
        return found;
    }

    private static Database connected(Database database, ShardedConnectionDetails.Connection connection) {
        return new Database(
                connection.url(),
                database.directUrl(),
                connection.username(),
                connection.password(),
                database.shards(),
                database.hikari(),
                database.replicas(),
                database.replication());
    }
}
