package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Database;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts what beans know of connections in the place of what properties say. */
final class ConnectedDatabases {
    private ConnectedDatabases() {}

    static ShardedIdProperties of(ShardedIdProperties properties, List<ShardedConnectionDetails> details) {
        if (details.isEmpty()) {
            return properties;
        }
        Map<String, Database> databases = new LinkedHashMap<>();
        properties.databases().forEach((name, database) -> {
            ShardedConnectionDetails.Connection connection = connection(name, details);
            databases.put(name, connection == null ? database : reached(database, connection));
        });
        return with(properties, databases);
    }

    private static ShardedConnectionDetails.@Nullable Connection connection(
            String database, List<ShardedConnectionDetails> details) {
        ShardedConnectionDetails.Connection found = null;
        for (ShardedConnectionDetails each : details) {
            ShardedConnectionDetails.Connection connection = each.connectionTo(database);
            if (connection != null && found != null) {
                throw new ShardedIdPropertiesException(
                        "Two beans of type ShardedConnectionDetails know how to reach database "
                                + database + ". Give each container the name of one database, such as"
                                + " @ServiceConnection(name = \"" + database + "\").");
            }
            found = connection == null ? found : connection;
        }
        return found;
    }

    private static Database reached(Database database, ShardedConnectionDetails.Connection connection) {
        return new Database(
                connection.url(),
                connection.username(),
                connection.password(),
                database.shards(),
                database.hikari(),
                database.replicas(),
                database.replication());
    }

    private static ShardedIdProperties with(ShardedIdProperties properties, Map<String, Database> databases) {
        return new ShardedIdProperties(
                properties.epoch(),
                properties.shards(),
                properties.jvmNodes(),
                properties.jvmIds(),
                properties.layout(),
                databases,
                properties.hikari(),
                properties.migrations(),
                properties.flyway(),
                properties.provisioning(),
                properties.commonSchemas(),
                properties.deferredBegin(),
                properties.readPoolSize(),
                properties.changeJvmNodesTo(),
                properties.reportDrift(),
                properties.repairMigrations(),
                properties.allShards(),
                properties.replicas(),
                properties.placement(),
                properties.global(),
                properties.fenceWait(),
                properties.map(),
                properties.moves());
    }
}
