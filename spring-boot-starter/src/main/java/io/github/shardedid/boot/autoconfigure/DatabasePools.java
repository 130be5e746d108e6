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

    /** Of pgjdbc; a parameter in the URL counts more. */
    private static final Map<String, String> DRIVER = Map.of(
            // A statement that was sent past the routing must fail, not find a table by chance.
            "currentSchema", "no_shard_selected",
            // Each shard's statements differ by the name of its schema; the default of 256 would be thrown out in
            // turns.
            "preparedStatementCacheQueries", "4096",
            "preparedStatementCacheSizeMiB", "80",
            "tcpKeepAlive", "true",
            // Seconds. Less than the pool waits, so that the reason is known when the pool gives up.
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
        return made(config(name, database, shared), "sharded-id.databases." + name);
    }

    /** A second pool of the same kind, which is empty as long as nothing is read through it. */
    static HikariDataSource forReads(
            String name, ShardedIdProperties.Database database, Map<String, String> shared, int size) {
        HikariConfig config = config(name, database, shared);
        config.setPoolName(config.getPoolName() + "-reads");
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(size);
        return made(config, "sharded-id.databases." + name);
    }

    /**
     * Another one of the same kind, for the shard map: a connection that listens, and one that asks. What an application's
     * transactions do to its pool must not keep it from learning where the shards are.
     */
    static HikariDataSource forMap(String name, ShardedIdProperties.Database database, Map<String, String> shared) {
        HikariConfig config = config(name, database, shared);
        config.setPoolName(config.getPoolName() + "-map");
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(2);
        config.setLeakDetectionThreshold(0);
        return made(config, "sharded-id.databases." + name);
    }

    /** As the database's own pool, where nothing else is said. */
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
        return made(config, property);
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

    /** In the URL, user and password count more than elsewhere, as with the driver. */
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

    /** Some settings are looked at only when the pool is made. */
    private static HikariDataSource made(HikariConfig config, String property) {
        address(config, property + ".hikari.jdbc-url", config.getJdbcUrl());
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new ShardedIdPropertiesException("HikariCP refuses the settings of " + property
                    + ", in its own hikari or in sharded-id.hikari" + reason(e, config) + ". Correct or remove them.");
        }
    }

    /** Without the cause, which may show the URL; the message is told unless it may show one, or a password. */
    private static String reason(RuntimeException failure, HikariConfig config) {
        String message = String.valueOf(failure.getMessage());
        boolean secret =
                message.contains("jdbc:") || (config.getPassword() != null && message.contains(config.getPassword()));
        return secret ? "" : ": " + message;
    }

    /** One after the other, since the same setting may be written in several ways. */
    private static void apply(Map<String, String> settings, HikariConfig config, String property) {
        Map<String, String> prefixed = new LinkedHashMap<>();
        settings.forEach((key, value) -> prefixed.put(HIKARI + "." + key, value));
        try {
            new Binder(new MapConfigurationPropertySource(prefixed))
                    .bind(HIKARI, Bindable.ofInstance(config), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            // Without the cause, whose message has the value.
            throw new ShardedIdPropertiesException("A setting of HikariCP in " + property
                    + " is unknown or has a value that cannot be: " + wrong(e, settings.keySet())
                    + ". Correct or remove it.");
        }
    }

    private static Object wrong(BindException failure, Set<String> all) {
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
