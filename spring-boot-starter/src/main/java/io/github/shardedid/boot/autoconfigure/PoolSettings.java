package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import io.github.shardedid.ClusterConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Applies the settings of an application to a pool, and refuses those of HikariCP and of the driver that do not work. */
final class PoolSettings {
    private static final Pattern SEARCH_PATH = Pattern.compile("search[_-]path", Pattern.CASE_INSENSITIVE);
    private static final Set<String> STANDBYS = Set.of("secondary", "slave", "preferSecondary", "preferSlave");
    private static final String PATH =
            "The path of a session is that of its shard or of the global schema. Remove it, and name"
                    + " schemas with objects for all shards in sharded-id.common-schemas.";

    private PoolSettings() {}

    /**
     * Refuses settings that do not work. A data source of a customizer is not looked at.
     *
     * @param config of a pool that is not created yet
     * @param property names the pool in messages
     * @param schema the path that the pool's sessions have by its own settings
     * @param replica whether the pool is that of a standby
     */
    static void check(HikariConfig config, String property, String schema, boolean replica) {
        String refused = ofPool(config);
        if (refused == null && config.getDataSource() == null && config.getJdbcUrl() != null) {
            refused = ofDriver(
                    DatabaseUrl.parameters(config.getJdbcUrl(), config.getDataSourceProperties()), schema, replica);
        }
        if (refused != null) {
            throw new ClusterConfigurationException("A setting of " + property
                    + ", in its URL, its hikari or in sharded-id.hikari, does not work: " + refused);
        }
    }

    private static @Nullable String ofPool(HikariConfig config) {
        if (config.getSchema() != null) {
            return "schema. " + PATH;
        } else if (namesPath(config.getConnectionInitSql())) {
            return "connection-init-sql with search_path. " + PATH;
        } else if (config.getJdbcUrl() != null
                && (config.getDataSourceClassName() != null || config.getDataSourceJNDI() != null)) {
            return (config.getDataSourceJNDI() != null ? "dataSourceJNDI" : "data-source-class-name")
                    + ". HikariCP uses it or the URL. Remove it, or set the data source in a ShardedPoolCustomizer.";
        }
        return null;
    }

    private static @Nullable String ofDriver(Properties all, String schema, boolean replica) {
        String server = all.getProperty("targetServerType", "any");
        if (!all.getProperty("currentSchema", schema).equals(schema)) {
            return "currentSchema. " + PATH;
        } else if (namesPath(all.getProperty("options"))) {
            return "options with search_path. " + PATH;
        } else if (all.getProperty("prepareThreshold", "").startsWith("-")) {
            return "prepareThreshold below 0. The driver would describe all statements of a text before it executes the"
                    + " first. Set it to 0 or more.";
        } else if (!all.getProperty("replication", "false").equals("false")) {
            return "replication. Replication connections do not execute prepared statements. Remove it.";
        } else if (!replica && STANDBYS.contains(server)) {
            return "targetServerType=" + server + ". It leads to standbys, which cannot be written to. Remove it, and"
                    + " configure standbys as replicas of the database.";
        }
        return null;
    }

    private static boolean namesPath(@Nullable String text) {
        return text != null && SEARCH_PATH.matcher(text).find();
    }

    /** Applies settings of HikariCP, whose names may be spelled in several ways. Refuses unknown and invalid ones. */
    static void apply(Map<String, String> settings, HikariConfig config, String property) {
        Map<String, String> prefixed = new LinkedHashMap<>();
        settings.forEach((key, value) -> prefixed.put("hikari." + key, value));
        try {
            new Binder(new MapConfigurationPropertySource(prefixed))
                    .bind("hikari", Bindable.ofInstance(config), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            // Without the cause, whose message contains the value.
            throw new ClusterConfigurationException("One of the settings of HikariCP in " + property
                    + " is unknown or has an invalid value: " + settings.keySet() + ". Correct or remove it.");
        }
    }
}
