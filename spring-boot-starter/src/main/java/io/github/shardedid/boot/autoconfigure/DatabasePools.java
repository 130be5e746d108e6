package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
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
            // answers, and makes no other connection meanwhile. Enough for several hosts in the URL.
            "loginTimeout", "15");

    /** Pools of all databases of a definition, and one for the global database. */
    static ShardedDatabases of(ShardedIdProperties properties, ClusterDefinition definition, ConnectionBeans beans) {
        Map<String, DataSource> pools = new LinkedHashMap<>();
        Map<String, DataSource> readPools = new LinkedHashMap<>();
        Map<String, List<DataSource>> replicas = new LinkedHashMap<>();
        Map<String, DataSource> forMap = new LinkedHashMap<>();
        Map<String, DataSource> direct = new LinkedHashMap<>();
        DataSource global = null;
        try {
            for (String name : definition.initialShards().keySet()) {
                ShardedIdProperties.Database database = properties.databases().get(name);
                if (database == null) {
                    throw new ClusterConfigurationException("The cluster definition names a database " + name
                            + ", but there is no sharded-id.databases." + name + ". Configure it, or provide a bean of"
                            + " type ShardedDatabases.");
                }
                DatabasePools own = new DatabasePools(name, beans.connected(name, database), properties, beans);
                pools.put(name, own.create(own.config(), own.property(), NO_SHARD));
                forMap.put(name, own.forMap());
                if (database.directUrl() != null) {
                    direct.put(name, own.create(own.session("-direct"), own.property(), NO_SHARD));
                }
                if (properties.deferredBegin() && readPoolSize(properties) > 0) {
                    readPools.put(name, own.forReads());
                }
                List<DataSource> standbys = new ArrayList<>();
                replicas.put(name, standbys);
                for (int i = 0; i < database.replicas().size(); i++) {
                    standbys.add(own.ofReplica(i));
                }
                GlobalDatabase schema = ConfiguredOptions.global(properties);
                if (schema != null && schema.database().equals(name)) {
                    global = own.ofGlobal(schema);
                }
            }
            return new ShardedDatabases(pools, readPools, replicas, direct, forMap, global);
        } catch (RuntimeException e) {
            try {
                new ShardedDatabases(pools, readPools, replicas, direct, forMap, global).close();
            } catch (Exception second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    static int readPoolSize(ShardedIdProperties properties) {
        int size = properties.readPoolSize();
        if (size < 0) {
            throw new ClusterConfigurationException(
                    "sharded-id.read-pool-size cannot be " + size + ". Set it to a number of connections, or to 0.");
        }
        return size;
    }

    private String property() {
        return "sharded-id.databases." + name;
    }

    private HikariConfig config() {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setUsername(database.username());
        config.setPassword(database.password());
        address(config, property() + ".url", database.url());
        String address = config.getJdbcUrl();
        config.setAutoCommit(true);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(5_000);
        DRIVER.forEach(config::addDataSourceProperty);
        if (database.directUrl() == null) {
            config.addDataSourceProperty(SCHEMA, NO_SHARD);
        }
        PoolSettings.apply(properties.hikari(), config, "sharded-id.hikari");
        PoolSettings.apply(database.hikari(), config, property() + ".hikari");
        if (Objects.equals(address, config.getJdbcUrl())) {
            address(config, property() + ".url", database.url()); // Its secrets take precedence over those settings.
        }
        return config;
    }

    /** A pool beside that of the database. Empty until it is used. */
    private HikariConfig additional(String suffix) {
        HikariConfig config = config();
        config.setPoolName(name + suffix);
        config.setMinimumIdle(0);
        return config;
    }

    /** An additional pool whose connections have sessions of their own: past a pooler. */
    private HikariConfig session(String suffix) {
        HikariConfig config = additional(suffix);
        if (database.directUrl() != null) {
            otherAddress(config, property() + ".direct-url", database.directUrl());
            config.addDataSourceProperty(SCHEMA, NO_SHARD);
        }
        return config;
    }

    private DataSource forReads() {
        HikariConfig config = additional("-reads");
        config.setMaximumPoolSize(properties.readPoolSize());
        return create(config, property(), NO_SHARD);
    }

    /**
     * An additional pool for the shard map: one connection that listens, and one that queries. The map must be refreshed even if
     * transactions of the application exhaust its pool.
     */
    private DataSource forMap() {
        HikariConfig config = session("-map");
        config.setMaximumPoolSize(2);
        config.setLeakDetectionThreshold(0);
        return create(config, property(), NO_SHARD);
    }

    /** A pool for other libraries, whose statements name no schema. */
    private DataSource ofGlobal(GlobalDatabase global) {
        HikariConfig config = session("-global");
        List<String> path = new ArrayList<>(List.of(global.schema()));
        path.addAll(properties.commonSchemas());
        config.addDataSourceProperty(SCHEMA, String.join(",", path));
        return create(config, property(), String.join(",", path));
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
        PoolSettings.apply(replica.hikari(), config, ofReplica + ".hikari");
        return create(config, ofReplica, NO_SHARD);
    }

    /** Sets another address of the same database. It has to be encrypted as that of the database is. */
    private void otherAddress(HikariConfig config, String property, @Nullable String url) {
        address(config, property, url);
        Properties parameters = DatabaseUrl.parameters(url, new Properties());
        if (StringUtils.hasText(url)
                && DatabaseUrl.sslMode(DatabaseUrl.parameters(database.url(), new Properties())) != null
                && parameters.getProperty("sslmode") == null
                && parameters.getProperty("ssl") == null) {
            throw new ClusterConfigurationException(
                    property + " does not say how connections are encrypted, but " + property()
                            + ".url does. Repeat its sslmode and the parameters that belong to it, such as sslrootcert.");
        }
    }

    /** User, password and other secrets in the URL take precedence, as with the driver. */
    private static void address(HikariConfig config, String property, @Nullable String url) {
        if (!StringUtils.hasText(url)) {
            return; // A customizer may know a data source.
        }
        DatabaseUrl address = DatabaseUrl.of(property, url);
        config.setJdbcUrl(address.plain());
        address.secrets().forEach((name, value) -> {
            switch (name) {
                case "user" -> config.setUsername(value);
                case "password" -> config.setPassword(value);
                default -> config.addDataSourceProperty(name, value);
            }
        });
    }

    /**
     * Creates a pool. HikariCP validates some settings only then.
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
        PoolSettings.check(config, property, schema, !property.equals(property()));
        if (config.getJdbcUrl() != null && DatabaseUrl.isValid(config.getJdbcUrl())) {
            address(config, property, config.getJdbcUrl()); // A customizer may have set another one.
        }
        try {
            hideSecrets(config);
            HikariConfig valid = new HikariConfig();
            config.copyStateTo(valid);
            valid.validate();
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new ClusterConfigurationException("HikariCP refuses the settings of " + property
                    + ", in its own hikari or in sharded-id.hikari" + reason(e, config) + ". Correct or remove them.");
        }
    }

    /** Gives secret settings to the driver in a data source, which nobody logs. */
    private static void hideSecrets(HikariConfig config) {
        Properties all = new Properties();
        all.putAll(config.getDataSourceProperties());
        if (config.getDataSource() == null
                && config.getJdbcUrl() != null
                && config.getDataSourceProperties().keySet().removeIf(name -> DatabaseUrl.isSecret(name.toString()))) {
            config.setDataSource(new DriverDataSource(
                    config.getJdbcUrl(), config.getDriverClassName(), all, config.getUsername(), config.getPassword()));
        }
    }

    /** The message of the failure, unless it may contain a URL or a password. The cause is omitted for the same reason. */
    private static String reason(RuntimeException failure, HikariConfig config) {
        String message = String.valueOf(failure.getMessage());
        boolean secret =
                message.contains("jdbc:") || (config.getPassword() != null && message.contains(config.getPassword()));
        return secret ? "" : ": " + message;
    }
}
