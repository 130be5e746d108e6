package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Creates the connection pools of a database. They connect when they are first used, so that a database may be down at start-up. */
record DatabasePools(
        String name, ShardedIdProperties.Database database, ShardedIdProperties properties, ConnectionBeans beans) {
    /** A statement that bypasses routing must fail, instead of finding a table by chance. PgBouncer refuses the parameter. */
    private static final String SCHEMA = "currentSchema";

    private static final String NO_SHARD = "no_shard_selected";

    /** Defaults for the PostgreSQL JDBC driver. Parameters in the URL take precedence. */
    private static final Map<String, String> DRIVER = Map.of(
            // The statements of each shard differ by the name of its schema: the default of 256 is too small for many
            // shards.
            "preparedStatementCacheQueries", "4096",
            "preparedStatementCacheSizeMiB", "80",
            "tcpKeepAlive", "true",
            // In seconds. Shorter than the connection timeout of the pool, so that the pool reports the reason.
            "connectTimeout", "4",
            // In seconds. Without it, HikariCP waits without end for a server that accepts a connection and never
            // answers, and
            // makes no other connection meanwhile. Enough for several hosts in the URL.
            "loginTimeout", "15");

    /** Pools of all databases of a definition, and one for the global database. */
    static ShardedDatabases of(ShardedIdProperties properties, ClusterDefinition definition, ConnectionBeans beans) {
        Map<String, ShardedIdProperties.Database> databases = beans.connected(properties.databases());
        ShardedDatabases sharded = ofShards(properties, databases, definition, beans);
        GlobalDatabase global = ConfiguredOptions.global(properties);
        ShardedIdProperties.Database database = global == null ? null : databases.get(global.database());
        if (global == null || database == null) {
            return sharded;
        }
        try {
            return sharded.withGlobal(
                    new DatabasePools(global.database(), database, properties, beans).ofGlobal(global));
        } catch (RuntimeException e) {
            closeAll(sharded, e);
            throw e;
        }
    }

    private static ShardedDatabases ofShards(
            ShardedIdProperties properties,
            Map<String, ShardedIdProperties.Database> databases,
            ClusterDefinition definition,
            ConnectionBeans beans) {
        Map<String, DataSource> pools = new LinkedHashMap<>();
        Map<String, DataSource> readPools = new LinkedHashMap<>();
        Map<String, List<DataSource>> replicas = new LinkedHashMap<>();
        Map<String, DataSource> forMap = new LinkedHashMap<>();
        Map<String, DataSource> direct = new LinkedHashMap<>();
        int readPoolSize = properties.deferredBegin() ? readPoolSize(properties) : 0;
        try {
            for (String name : definition.initialShards().keySet()) {
                ShardedIdProperties.Database database = databases.get(name);
                if (database == null) {
                    throw new ShardedIdPropertiesException("The cluster definition names a database " + name
                            + ", but there is no sharded-id.databases." + name + ". Configure it, or provide a bean of"
                            + " type ShardedDatabases.");
                }
                DatabasePools own = new DatabasePools(name, database, properties, beans);
                pools.put(name, own.create(own.config(), own.property()));
                forMap.put(name, own.forMap());
                if (database.directUrl() != null) {
                    direct.put(name, own.direct());
                }
                if (readPoolSize != 0) {
                    readPools.put(name, own.create(own.additional("-reads", readPoolSize), own.property()));
                }
                List<DataSource> standbys = new ArrayList<>();
                replicas.put(name, standbys);
                for (int i = 0; i < database.replicas().size(); i++) {
                    standbys.add(own.ofReplica(i));
                }
            }
            return new ShardedDatabases(pools, readPools, replicas, forMap, direct);
        } catch (RuntimeException e) {
            closeAll(new ShardedDatabases(pools, readPools, replicas, forMap, direct), e);
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

    private String property() {
        return "sharded-id.databases." + name;
    }

    /** A pool beside that of the database. Empty until it is used. */
    private HikariConfig additional(String suffix, int size) {
        HikariConfig config = config();
        config.setPoolName(config.getPoolName() + suffix);
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(size);
        return config;
    }

    /**
     * An additional pool for the shard map: one connection that listens, and one that queries. The map must be refreshed even if
     * transactions of the application exhaust its pool.
     */
    private DataSource forMap() {
        HikariConfig config = additional("-map", 2);
        config.setLeakDetectionThreshold(0);
        pastPooler(config);
        return create(config, property());
    }

    /** An additional pool for what needs sessions of its own, such as provisioning. */
    private DataSource direct() {
        HikariConfig config = config();
        config.setPoolName(config.getPoolName() + "-direct");
        config.setMinimumIdle(0);
        pastPooler(config);
        return create(config, property());
    }

    /** A pool for other libraries, whose statements name no schema. */
    private DataSource ofGlobal(GlobalDatabase global) {
        HikariConfig config = config();
        config.setPoolName(name + "-global");
        config.setMinimumIdle(0);
        pastPooler(config);
        List<String> path = new ArrayList<>(List.of(global.schema()));
        path.addAll(properties.commonSchemas());
        config.addDataSourceProperty(SCHEMA, String.join(",", path));
        return create(config, property(), String.join(",", path));
    }

    private void pastPooler(HikariConfig config) {
        if (database.directUrl() != null) {
            otherAddress(config, property() + ".direct-url", database.directUrl());
            config.addDataSourceProperty(SCHEMA, NO_SHARD);
        }
    }

    /** The pool of a replica. Settings default to those of its database. */
    private DataSource ofReplica(int number) {
        ShardedIdProperties.Replica replica = database.replicas().get(number);
        HikariConfig config = config();
        config.setPoolName(name + "-replica-" + number);
        String ofReplica = property() + ".replicas[" + number + "]";
        if (replica.username() != null) {
            config.setUsername(replica.username());
        }
        if (replica.password() != null) {
            config.setPassword(replica.password());
        }
        config.setJdbcUrl(null); // Never the database's own.
        otherAddress(config, ofReplica + ".url", replica.url());
        apply(replica.hikari(), config, ofReplica + ".hikari");
        return create(config, ofReplica);
    }

    private HikariConfig config() {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setUsername(database.username());
        config.setPassword(database.password());
        address(config, property() + ".url", database.url());
        config.setAutoCommit(true);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(5_000);
        DRIVER.forEach(config::addDataSourceProperty);
        if (database.directUrl() == null) {
            config.addDataSourceProperty(SCHEMA, NO_SHARD);
        }
        apply(properties.hikari(), config, "sharded-id.hikari");
        apply(database.hikari(), config, property() + ".hikari");
        return config;
    }

    /** Sets another address of the same database. Unless it says how connections are encrypted, they are encrypted as those of the database's URL. */
    private void otherAddress(HikariConfig config, String property, @Nullable String url) {
        address(config, property, url);
        if (StringUtils.hasText(url) && StringUtils.hasText(database.url())) {
            config.setJdbcUrl(DatabaseUrl.of(property, config.getJdbcUrl())
                    .encryptedAs(DatabaseUrl.of(property() + ".url", database.url())));
        }
    }

    /** User and password in the URL take precedence, as with the driver. */
    private static void address(HikariConfig config, String property, @Nullable String url) {
        if (!StringUtils.hasText(url)) {
            return; // A customizer may know a data source.
        }
        DatabaseUrl address = DatabaseUrl.of(property, url);
        config.setJdbcUrl(address.plain());
        if (address.username() != null) {
            config.setUsername(address.username());
        }
        if (address.password() != null) {
            config.setPassword(address.password());
        }
    }

    private DataSource create(HikariConfig config, String property) {
        return create(config, property, NO_SHARD);
    }

    /**
     * HikariCP validates some settings only when it creates the pool.
     *
     * @param schema the path of its sessions
     */
    private DataSource create(HikariConfig config, String property, String schema) {
        address(config, property + ".hikari.jdbc-url", config.getJdbcUrl());
        beans.refresh(name, config);
        beans.customize(name, config);
        if (config.getJdbcUrl() == null && config.getDataSource() == null && config.getDataSourceClassName() == null) {
            DatabaseUrl.of(property + ".url", null); // Says that it is missing.
        }
        checked(() -> PoolSettings.check(config, property, schema, !property.equals(property())));
        try {
            return PoolSecrets.create(config);
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

    private static void apply(Map<String, String> settings, HikariConfig config, String property) {
        checked(() -> PoolSettings.apply(settings, config, property));
    }

    private static void checked(Runnable settings) {
        try {
            settings.run();
        } catch (IllegalArgumentException e) {
            throw new ShardedIdPropertiesException(String.valueOf(e.getMessage()));
        }
    }
}
