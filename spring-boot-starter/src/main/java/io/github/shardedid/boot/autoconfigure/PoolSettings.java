package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Applies the settings of an application to a pool, and refuses those of HikariCP and of the driver that do not work. */
final class PoolSettings {
    private static final String HIKARI = "hikari";
    private static final List<String> PARAMETERS =
            List.of("currentSchema", "options", "prepareThreshold", "replication", "targetServerType");
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
     * @throws IllegalArgumentException if one does not work
     */
    static void check(HikariConfig config, String property, String schema, boolean replica) {
        String refused = ofPool(config);
        if (refused == null && config.getDataSource() == null && config.getJdbcUrl() != null) {
            refused = ofDriver(config.getDataSourceProperties(), schema, replica);
            refused = refused == null ? ofDriver(parameters(config.getJdbcUrl()), schema, replica) : refused;
        }
        if (refused != null) {
            throw new IllegalArgumentException("A setting of " + property
                    + ", in its URL, its hikari or in sharded-id.hikari, does not work: " + refused);
        }
    }

    private static @Nullable String ofPool(HikariConfig config) {
        if (config.getSchema() != null) {
            return "schema. " + PATH;
        } else if (namesPath(config.getConnectionInitSql())) {
            return "connection-init-sql with search_path. " + PATH;
        } else if (config.getJdbcUrl() != null && config.getDataSource() == null) {
            String other = config.getDataSourceClassName() != null
                    ? "data-source-class-name"
                    : config.getDataSourceJNDI() != null ? "dataSourceJNDI" : null;
            return other == null
                    ? null
                    : other
                            + ". HikariCP uses it or the URL. Remove it, or set the data source in a ShardedPoolCustomizer.";
        }
        return null;
    }

    private static @Nullable String ofDriver(Properties all, String schema, boolean replica) {
        String server = all.getProperty("targetServerType", "any");
        String replication = all.getProperty("replication", "false");
        if (!all.getProperty("currentSchema", schema).equals(schema)) {
            return "currentSchema. " + PATH;
        } else if (namesPath(all.getProperty("options"))) {
            return "options with search_path. " + PATH;
        } else if (all.getProperty("prepareThreshold", "").startsWith("-")) {
            return "prepareThreshold below 0. The driver would describe all statements of a text before it executes the"
                    + " first. Set it to 0 or more.";
        } else if (!replication.equals("false")) {
            return "replication. Replication connections do not execute prepared statements. Remove it.";
        } else if (!replica && STANDBYS.contains(server)) {
            return "targetServerType=" + server + ". It leads to standbys, which cannot be written to. Remove it, and"
                    + " configure standbys as replicas of the database.";
        }
        return null;
    }

    /** Those of a URL that may be refused. */
    private static Properties parameters(String url) {
        Properties all = new Properties();
        PGSimpleDataSource parsed = new PGSimpleDataSource();
        try {
            parsed.setUrl(PoolEncryption.ofDriver(url));
            for (String name : PARAMETERS) {
                String value = parsed.getProperty(name);
                if (value != null) {
                    all.setProperty(name, value);
                }
            }
        } catch (IllegalArgumentException | SQLException e) {
            return all; // Of another driver.
        }
        return all;
    }

    private static boolean namesPath(@Nullable String text) {
        return text != null && SEARCH_PATH.matcher(text).find();
    }

    /**
     * Applies one map after the other, as the same setting may be spelled in several ways.
     *
     * @param settings of HikariCP
     * @param config changed
     * @param property names the settings in messages
     * @throws IllegalArgumentException if one is unknown or invalid
     */
    static void apply(Map<String, String> settings, HikariConfig config, String property) {
        Map<String, String> prefixed = new LinkedHashMap<>();
        settings.forEach((key, value) -> prefixed.put(HIKARI + "." + key, value));
        try {
            new Binder(new MapConfigurationPropertySource(prefixed))
                    .bind(HIKARI, Bindable.ofInstance(config), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            // Without the cause, whose message contains the value.
            throw new IllegalArgumentException("A setting of HikariCP in " + property
                    + " is unknown or has an invalid value: " + invalid(e, settings.keySet())
                    + ". Correct or remove it.");
        }
    }

    private static Object invalid(BindException failure, Set<String> all) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof UnboundConfigurationPropertiesException unbound) {
                return unbound.getUnboundProperties().stream()
                        .map(each -> each.getName().getLastElement(ConfigurationPropertyName.Form.DASHED))
                        .toList();
            } else if (at instanceof BindException bind && bind.getProperty() != null) {
                return bind.getName().getLastElement(ConfigurationPropertyName.Form.DASHED);
            }
        }
        return all;
    }
}
