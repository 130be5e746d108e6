package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.provisioning.ClusterDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.StringUtils;

/** Makes the pool of a database. It connects when it is first used, so that a database may be down at start-up. */
final class DatabasePool {
    private static final String HIKARI = "hikari";

    private static final String URL = "jdbc:postgresql:";

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

    private DatabasePool() {}

    /** The pools of all databases of a definition. */
    static ShardedDatabases ofAll(ShardedIdProperties properties, ClusterDefinition definition) throws Exception {
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        Map<String, HikariDataSource> readPools = new LinkedHashMap<>();
        Map<String, List<HikariDataSource>> replicas = new LinkedHashMap<>();
        Map<String, HikariDataSource> forMap = new LinkedHashMap<>();
        try {
            for (String name : definition.initialShards().keySet()) {
                ShardedIdProperties.Database database = properties.databases().get(name);
                if (database == null) {
                    throw new ShardedIdPropertiesException("The cluster definition names a database " + name
                            + ", but there is no sharded-id.databases." + name + ". Configure it, or provide a bean of"
                            + " type ShardedDatabases.");
                }
                pools.put(name, of(name, database, properties.hikari()));
                forMap.put(name, forMap(name, database, properties.hikari()));
                int size = readPoolSize(properties);
                if (properties.deferredBegin() && size != 0) {
                    readPools.put(name, forReads(name, database, properties.hikari(), size));
                }
                List<HikariDataSource> own = new ArrayList<>();
                replicas.put(name, own);
                for (int i = 0; i < database.replicas().size(); i++) {
                    own.add(ofReplica(name, i, database, properties.hikari()));
                }
            }
            return new ShardedDatabases(pools, readPools, replicas, forMap);
        } catch (RuntimeException e) {
            new ShardedDatabases(pools, readPools, replicas, forMap).close();
            throw e;
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
        return new HikariDataSource(config(name, database, shared));
    }

    /** A second pool of the same kind, which is empty as long as nothing is read through it. */
    static HikariDataSource forReads(
            String name, ShardedIdProperties.Database database, Map<String, String> shared, int size) {
        HikariConfig config = config(name, database, shared);
        config.setPoolName(config.getPoolName() + "-reads");
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
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
        return new HikariDataSource(config);
    }

    /** As the database's own pool, where nothing else is said. */
    static HikariDataSource ofReplica(
            String name, int number, ShardedIdProperties.Database database, Map<String, String> shared) {
        ShardedIdProperties.Replica replica = database.replicas().get(number);
        HikariConfig config = config(name, database, shared);
        config.setPoolName(name + "-replica-" + number);
        config.setJdbcUrl(url(name + ".replicas[" + number + "]", replica.url()));
        if (replica.username() != null) {
            config.setUsername(replica.username());
        }
        if (replica.password() != null) {
            config.setPassword(replica.password());
        }
        apply(replica.hikari(), config, "sharded-id.databases." + name + ".replicas[" + number + "].hikari");
        return new HikariDataSource(config);
    }

    private static HikariConfig config(String name, ShardedIdProperties.Database database, Map<String, String> shared) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(url(name, database.url()));
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setAutoCommit(true);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(5_000);
        DRIVER.forEach(config::addDataSourceProperty);
        apply(shared, config, "sharded-id.hikari");
        apply(database.hikari(), config, "sharded-id.databases." + name + ".hikari");
        return config;
    }

    private static String url(String name, @Nullable String url) {
        String property = "sharded-id.databases." + name + ".url";
        if (!StringUtils.hasText(url)) {
            throw new ShardedIdPropertiesException(property
                    + " is not set, and no ShardedConnectionDetails knows the database. Set it to the database's URL, "
                    + URL + "//host/database.");
        }
        if (!url.startsWith(URL)) {
            throw new ShardedIdPropertiesException(property + " does not begin with " + URL
                    + ". The databases of a cluster are PostgreSQL; write " + URL + "//host/database.");
        }
        return url;
    }

    /** One after the other, since the same setting may be written in several ways. */
    private static void apply(Map<String, String> settings, HikariConfig config, String property) {
        Map<String, String> prefixed = new LinkedHashMap<>();
        settings.forEach((key, value) -> prefixed.put(HIKARI + "." + key, value));
        try {
            new Binder(new MapConfigurationPropertySource(prefixed))
                    .bind(HIKARI, Bindable.ofInstance(config), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            throw new ShardedIdPropertiesException(
                    "A setting of HikariCP in " + property + " is unknown or has a value that cannot be: "
                            + settings.keySet() + ". Correct or remove it.",
                    e);
        }
    }
}
