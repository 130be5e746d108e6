package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.provisioning.ClusterDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Creates connection pools. They connect when they are first used, so that a database may be down at start-up. */
final class DatabasePools {
    private static final String HIKARI = "hikari";

    /** Defaults for the PostgreSQL JDBC driver. Parameters in the URL take precedence. */
    private static final Map<String, String> DRIVER = Map.of(
            // A statement that bypasses routing must fail, instead of finding a table by chance.
            "currentSchema", "no_shard_selected",
            // The statements of each shard differ by the name of its schema: the default of 256 is too small for many
            // shards.
            "preparedStatementCacheQueries", "4096",
            "preparedStatementCacheSizeMiB", "80",
            "tcpKeepAlive", "true",
            // In seconds. Shorter than the connection timeout of the pool, so that the pool reports the reason.
            "connectTimeout", "4");

    private DatabasePools() {}

    /** Pools of all databases of a definition. */
    static ShardedDatabases of(
            Map<String, ShardedIdProperties.Database> databases,
            ShardedIdProperties properties,
            ClusterDefinition definition) {
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        Map<String, HikariDataSource> readPools = new LinkedHashMap<>();
        Map<String, List<HikariDataSource>> replicas = new LinkedHashMap<>();
        Map<String, HikariDataSource> forMap = new LinkedHashMap<>();
        int readPoolSize = properties.deferredBegin() ? readPoolSize(properties) : 0;
        try {
            for (String name : definition.initialShards().keySet()) {
                ShardedIdProperties.Database database = databases.get(name);
                if (database == null) {
                    throw new ShardedIdPropertiesException("The cluster definition names a database " + name
                            + ", but there is no sharded-id.databases." + name + ". Configure it, or provide a bean of"
                            + " type ShardedDatabases.");
                }
                pools.put(name, of(name, database, properties.hikari()));
                forMap.put(name, forMap(name, database, properties.hikari()));
                if (readPoolSize != 0) {
                    readPools.put(name, forReads(name, database, properties.hikari(), readPoolSize));
                }
                List<HikariDataSource> own = new ArrayList<>();
                replicas.put(name, own);
                for (int i = 0; i < database.replicas().size(); i++) {
                    own.add(ofReplica(name, i, database, properties.hikari()));
                }
            }
            return new ShardedDatabases(pools, readPools, replicas, forMap);
        } catch (RuntimeException e) {
            closeAll(new ShardedDatabases(pools, readPools, replicas, forMap), e);
            throw e;
        }
    }

    private static void closeAll(ShardedDatabases pools, RuntimeException reason) {
        try {
            pools.close();
        } catch (Exception e) {
            reason.addSuppressed(e);
        }
    }

    static int readPoolSize(ShardedIdProperties properties) {
        int size = properties.readPoolSize();
        if (size < 0) {
            throw new ShardedIdPropertiesException(
                    "sharded-id.read-pool-size cannot be " + size + ". Set it to a number of connections, or to 0.");
        }
        return size;
    }

    static HikariDataSource of(String name, ShardedIdProperties.Database database, Map<String, String> shared) {
        return create(config(name, database, shared), "sharded-id.databases." + name);
    }

    /** An additional pool for reads of transactions that hold another connection. Empty until it is used. */
    static HikariDataSource forReads(
            String name, ShardedIdProperties.Database database, Map<String, String> shared, int size) {
        HikariConfig config = config(name, database, shared);
        config.setPoolName(config.getPoolName() + "-reads");
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(size);
        return create(config, "sharded-id.databases." + name);
    }

    /**
     * An additional pool for the shard map: one connection that listens, and one that queries. The map must be refreshed even if
     * transactions of the application exhaust its pool.
     */
    static HikariDataSource forMap(String name, ShardedIdProperties.Database database, Map<String, String> shared) {
        HikariConfig config = config(name, database, shared);
        config.setPoolName(config.getPoolName() + "-map");
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(2);
        config.setLeakDetectionThreshold(0);
        return create(config, "sharded-id.databases." + name);
    }

    /** The pool of a replica. Settings default to those of its database. */
    static HikariDataSource ofReplica(
            String name, int number, ShardedIdProperties.Database database, Map<String, String> shared) {
        ShardedIdProperties.Replica replica = database.replicas().get(number);
        HikariConfig config = config(name, database, shared);
        config.setPoolName(name + "-replica-" + number);
        String property = "sharded-id.databases." + name + ".replicas[" + number + "]";
        if (replica.username() != null) {
            config.setUsername(replica.username());
        }
        if (replica.password() != null) {
            config.setPassword(replica.password());
        }
        address(config, property + ".url", replica.url());
        apply(replica.hikari(), config, property + ".hikari");
        return create(config, property);
    }

    private static HikariConfig config(String name, ShardedIdProperties.Database database, Map<String, String> shared) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setUsername(database.username());
        config.setPassword(database.password());
        address(config, "sharded-id.databases." + name + ".url", database.url());
        config.setAutoCommit(true);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(5_000);
        DRIVER.forEach(config::addDataSourceProperty);
        apply(shared, config, "sharded-id.hikari");
        apply(database.hikari(), config, "sharded-id.databases." + name + ".hikari");
        return config;
    }

    /** User and password in the URL take precedence, as with the driver. */
    private static void address(HikariConfig config, String property, @Nullable String url) {
        DatabaseUrl address = DatabaseUrl.of(property, url);
        config.setJdbcUrl(address.plain());
        if (address.username() != null) {
            config.setUsername(address.username());
        }
        if (address.password() != null) {
            config.setPassword(address.password());
        }
    }

    /** HikariCP validates some settings only when it creates the pool. */
    private static HikariDataSource create(HikariConfig config, String property) {
        address(config, property + ".hikari.jdbc-url", config.getJdbcUrl());
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new ShardedIdPropertiesException("HikariCP refuses the settings of " + property
                    + ", in its own hikari or in sharded-id.hikari" + reason(e, config) + ". Correct or remove them.");
        }
    }

    /** The message of the failure, unless it may contain a URL or a password. The cause is omitted for the same reason. */
    private static String reason(RuntimeException failure, HikariConfig config) {
        String message = String.valueOf(failure.getMessage());
        boolean secret =
                message.contains("jdbc:") || (config.getPassword() != null && message.contains(config.getPassword()));
        return secret ? "" : ": " + message;
    }

    /** Applies one map after the other, as the same setting may be spelled in several ways. */
    private static void apply(Map<String, String> settings, HikariConfig config, String property) {
        Map<String, String> prefixed = new LinkedHashMap<>();
        settings.forEach((key, value) -> prefixed.put(HIKARI + "." + key, value));
        try {
            new Binder(new MapConfigurationPropertySource(prefixed))
                    .bind(HIKARI, Bindable.ofInstance(config), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            // Without the cause, whose message contains the value.
            throw new ShardedIdPropertiesException("A setting of HikariCP in " + property
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
