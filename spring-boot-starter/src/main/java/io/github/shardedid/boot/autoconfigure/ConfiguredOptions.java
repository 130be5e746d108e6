package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.migration.FlywayProperties;
import io.github.shardedid.boot.migration.LiquibaseProperties;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ClusterRoles;
import io.github.shardedid.provisioning.FlywayCustomizer;
import io.github.shardedid.provisioning.KeeperOptions;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.GlobalDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.StringUtils;

/** Converts properties to options of the other modules. Messages of failures name the property. */
final class ConfiguredOptions {
    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredOptions.class);
    private static final int MAX_PORT = 65_535;
    private static final String GLOBAL_SCRIPTS = "db/global";

    private ConfiguredOptions() {}

    /** Refuses invalid options at start-up, also those that are used later, such as the options of a move. */
    static void check(ShardedIdProperties properties) {
        jvmIds(properties.jvmIds());
        scatter(properties, Integer.MAX_VALUE);
        fenceWait(properties);
        keeper(properties);
        global(properties);
        commonSchemas(properties);
        liquibase(properties);
        provisioning(properties);
        moves(properties.moves(), Map.of(), Map.of(), ConnectionBeans.NONE, List.of());
        DatabasePools.readPoolSize(properties);
        properties.databases().forEach(ConfiguredOptions::port);
    }

    private static void port(String name, ShardedIdProperties.Database database) {
        Integer port = database.replication().port();
        if (port != null && (port < 1 || port > MAX_PORT)) {
            throw new ClusterConfigurationException("sharded-id.databases." + name + ".replication.port cannot be "
                    + port + ". A port is a number from 1 to " + MAX_PORT + ".");
        }
    }

    static JvmIdOptions jvmIds(ShardedIdProperties.JvmIds properties) {
        JvmIdOptions leasing = checked("sharded-id.jvm-ids.lease", properties.lease(), JvmIdOptions.DEFAULT::withLease);
        return checked("sharded-id.jvm-ids.ahead", properties.ahead(), leasing::withAhead);
    }

    /** Uses a value. A failure names its property. */
    static <V, T> T checked(String property, V value, Function<V, T> use) {
        try {
            return use.apply(value);
        } catch (IllegalArgumentException e) {
            throw new ClusterConfigurationException(property + " cannot be " + value + ". " + e.getMessage(), e);
        }
    }

    private static ScatterOptions scatter(ShardedIdProperties properties, int most) {
        return checked(
                "sharded-id.all-shards",
                properties.allShards(),
                wanted -> new ScatterOptions(
                        wanted.shardsPerStatement(),
                        Math.min(most, wanted.concurrentQueries()),
                        wanted.longestWait(),
                        wanted.maxRows()));
    }

    /** The defaults, but for the wait. */
    static RoutingOptions fenceWait(ShardedIdProperties properties) {
        return checked("sharded-id.fence-wait", properties.fenceWait(), RoutingOptions.DEFAULT::withFenceWait);
    }

    static KeeperOptions keeper(ShardedIdProperties properties) {
        return checked(
                "sharded-id.map.poll or sharded-id.map.retry",
                properties.map(),
                wanted -> new KeeperOptions(wanted.poll(), wanted.retry()));
    }

    /** Null if no global database is configured. */
    static @Nullable GlobalDatabase global(ShardedIdProperties properties) {
        String database = properties.global().database();
        if (database == null || database.isBlank()) {
            if (!properties.global().schema().equals(GlobalDatabase.DEFAULT_SCHEMA)) {
                throw new ClusterConfigurationException(
                        "sharded-id.global.schema is " + properties.global().schema()
                                + ", but sharded-id.global.database is not set. Set it, or remove the schema.");
            }
            return null;
        }
        if (!properties.databases().containsKey(database)) {
            throw new ClusterConfigurationException(
                    "sharded-id.global.database is " + database + ", but sharded-id.databases has only "
                            + properties.databases().keySet() + ". Name one of these.");
        }
        try {
            return new GlobalDatabase(database, properties.global().schema());
        } catch (IllegalArgumentException e) {
            throw new ClusterConfigurationException("sharded-id.global.schema is invalid. " + e.getMessage(), e);
        }
    }

    static CommonSchemas commonSchemas(ShardedIdProperties properties) {
        return checked("sharded-id.common-schemas", properties.commonSchemas(), CommonSchemas::new);
    }

    /** Returns the migrations of the shards. Customizers of Flyway are applied after the properties. */
    static ShardMigrations migrations(
            ShardedIdProperties properties, @Nullable ClassLoader resources, List<FlywayCustomizer> customizers) {
        String changeLog = properties.liquibase().changeLog();
        if (changeLog == null) {
            return scripts(properties.migrations(), properties, resources, customizers);
        }
        if (!customizers.isEmpty()) {
            throw new ClusterConfigurationException("Beans of type FlywayCustomizer have no effect on"
                    + " sharded-id.liquibase.change-log. Remove them, or the change log.");
        }
        return changeLog(
                "change-log", changeLog, "migrations", "db/shard", properties.migrations(), properties, resources);
    }

    /**
     * Returns the migrations of the schema of the global entities. Where the shards have a change log, Spring Boot's own Liquibase usually
     * migrates it, so the default location of scripts need not exist.
     */
    static ShardMigrations globalMigrations(ShardedIdProperties properties, @Nullable ClassLoader resources) {
        String changeLog = properties.liquibase().globalChangeLog();
        List<String> locations = properties.global().migrations();
        if (changeLog != null) {
            return changeLog(
                    "global-change-log",
                    changeLog,
                    "global.migrations",
                    GLOBAL_SCRIPTS,
                    locations,
                    properties,
                    resources);
        }
        boolean none = properties.liquibase().changeLog() != null
                && locations.equals(List.of("classpath:" + GLOBAL_SCRIPTS))
                && classLoader(resources).getResource(GLOBAL_SCRIPTS) == null;
        return scripts(none ? List.of() : locations, properties, resources, List.of());
    }

    private static void liquibase(ShardedIdProperties properties) {
        if (properties.liquibase().globalChangeLog() != null && global(properties) == null) {
            throw new ClusterConfigurationException("sharded-id.liquibase.global-change-log is set, but"
                    + " sharded-id.global.database is not. Set it, or remove the change log.");
        }
        migrations(properties, null, List.of());
        globalMigrations(properties, null);
    }

    private static ShardMigrations changeLog(
            String name,
            String location,
            String scriptsName,
            String defaultScripts,
            List<String> scripts,
            ShardedIdProperties properties,
            @Nullable ClassLoader resources) {
        String property = "sharded-id.liquibase." + name;
        if (!scripts.isEmpty() && !scripts.equals(List.of("classpath:" + defaultScripts))) {
            throw new ClusterConfigurationException("sharded-id." + scriptsName + " is set to Flyway scripts at "
                    + scripts + ", but " + property + " to a Liquibase change log. Remove one of them.");
        }
        String script = scripts.isEmpty() ? null : anyScript(defaultScripts, classLoader(resources));
        if (script != null) {
            throw new ClusterConfigurationException(
                    property + " is set to a Liquibase change log, but " + defaultScripts
                            + " has a Flyway script, " + script + ", which would not run. Remove it, or set sharded-id."
                            + scriptsName + " to nothing.");
        }
        LiquibaseProperties settings = properties.liquibase();
        try {
            return checked(
                            property,
                            location,
                            path -> ShardMigrations.of(
                                    classLoader(resources),
                                    new ChangeLog(
                                            path,
                                            Objects.requireNonNullElse(settings.contexts(), ""),
                                            Objects.requireNonNullElse(settings.labelFilter(), ""),
                                            settings.parameters())))
                    .withCommonSchemas(commonSchemas(properties));
        } catch (IllegalStateException e) {
            throw new ClusterConfigurationException(property + " is set. " + e.getMessage(), e);
        }
    }

    /** Returns the name of a Flyway script at a location, or null. Files of a change log may be in the same directory. */
    private static @Nullable String anyScript(String location, ClassLoader classLoader) {
        try {
            return Stream.of(new PathMatchingResourcePatternResolver(classLoader)
                            .getResources("classpath*:" + location + "/**/*__*"))
                    .map(script -> String.valueOf(script.getFilename()))
                    .filter(name -> name.matches("(V[0-9].*|R)__.*\\.(sql|class)"))
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            return null; // there is no such directory
        }
    }

    private static ClassLoader classLoader(@Nullable ClassLoader resources) {
        return resources == null ? ConfiguredOptions.class.getClassLoader() : resources;
    }

    private static ShardMigrations scripts(
            List<String> locations,
            ShardedIdProperties properties,
            @Nullable ClassLoader resources,
            List<FlywayCustomizer> customizers) {
        CommonSchemas common = commonSchemas(properties);
        if (locations.isEmpty()) {
            return ShardMigrations.none().withCommonSchemas(common);
        }
        FlywayProperties settings = properties.flyway();
        return ShardMigrations.at(classLoader(resources), locations.toArray(String[]::new))
                .withCommonSchemas(common)
                .withReplay(settings.replay())
                .withFlyway(flyway -> {
                    flyway.outOfOrder(settings.outOfOrder()).placeholders(settings.placeholders());
                    customizers.forEach(customizer -> customizer.customize(flyway));
                });
    }

    static ProvisioningOptions provisioning(ShardedIdProperties properties) {
        return checked(
                "sharded-id.provisioning.application-role, reader-role or mover-role",
                properties.provisioning(),
                wanted -> new ProvisioningOptions(
                        wanted.idConstraints(),
                        Map.of(),
                        new ClusterRoles(wanted.applicationRole(), wanted.readerRole(), wanted.moverRole())));
    }

    /**
     * Limits the number of concurrent queries over several shards to the connections in the smallest pool. Such a query holds a
     * connection to one database while it waits for a connection to another: too many of them could deadlock two pools.
     */
    static ScatterOptions scatterWithin(ShardedIdProperties properties, ShardedDatabases databases) {
        int smallest = Stream.concat(
                        databases.byName().values().stream(),
                        databases.replicas().values().stream().flatMap(Collection::stream))
                .mapToInt(pool ->
                        pool instanceof HikariDataSource hikari ? hikari.getMaximumPoolSize() : Integer.MAX_VALUE)
                .min()
                .orElse(Integer.MAX_VALUE);
        int most = Math.max(1, smallest);
        if (properties.allShards().concurrentQueries() > most) {
            LOG.info(
                    "At most {} queries over several shards run concurrently, as the smallest pool has {} connections",
                    most,
                    smallest);
        }
        return scatter(properties, most);
    }

    /**
     * The servers connect to each other by the addresses that the application uses, unless replication addresses are configured.
     *
     * @param pools the mover's, by the names of the databases: they know how connections are encrypted
     */
    static MoveOptions moves(
            ShardedIdProperties.Moves moves,
            Map<String, ShardedIdProperties.Database> databases,
            Map<String, ? extends DataSource> pools,
            ConnectionBeans beans,
            List<? extends MoveListener> listeners) {
        Function<String, @Nullable ReplicationSource> sources = name -> {
            ShardedIdProperties.Database database = databases.get(name);
            return database == null ? null : source(name, beans.connected(name, database), pools.get(name));
        };
        // Refuses what is missing, before a move begins.
        databases.forEach((name, database) -> source(name, beans.connected(name, database), pools.get(name)));
        List<MoveListener> all = new ArrayList<>(List.of(new MoveLog()));
        all.addAll(listeners);
        return checked(
                "sharded-id.moves",
                moves,
                wanted -> new MoveOptions(
                        wanted.concurrent(),
                        wanted.lockTimeout(),
                        wanted.fenceTimeout(),
                        wanted.catchUpTimeout(),
                        sources,
                        Listeners.of(MoveListener.class, all)));
    }

    /** Null if only the data source of a customizer knows the address. */
    private static @Nullable ReplicationSource source(
            String name, ShardedIdProperties.Database database, @Nullable DataSource pool) {
        ShardedIdProperties.Replication own = database.replication();
        if (!StringUtils.hasText(database.url()) && database.directUrl() == null && own.host() == null) {
            return null;
        }
        String user = or(own.username(), database.username());
        if (user == null) {
            throw new ClusterConfigurationException("sharded-id.databases." + name + ".replication.username is not set,"
                    + " nor is sharded-id.databases." + name + ".username. Set one of them: during a move, the other"
                    + " server connects to this one as that user.");
        }
        // Of several hosts the first.
        Properties url = DatabaseUrl.parameters(or(database.directUrl(), database.url()), new Properties());
        String host = Objects.requireNonNullElse(
                own.host(), url.getProperty("PGHOST", "localhost").replaceFirst(",.*", ""));
        int port = Integer.parseInt(url.getProperty("PGPORT", "5432").replaceFirst(",.*", ""));
        String password =
                own.username() == null || own.password() != null ? or(own.password(), database.password()) : null;
        String mode = pool instanceof HikariConfig config
                ? DatabaseUrl.sslMode(DatabaseUrl.parameters(config.getJdbcUrl(), config.getDataSourceProperties()))
                : null;
        try {
            ReplicationSource source = new ReplicationSource(
                    host.replaceAll("[\\[\\]]", ""),
                    own.port() == null ? port : own.port(),
                    Objects.requireNonNullElse(own.database(), url.getProperty("PGDBNAME", user)),
                    user,
                    password,
                    own.parameters());
            return mode == null ? source : source.withDefault("sslmode", mode);
        } catch (IllegalArgumentException e) {
            throw new ClusterConfigurationException(
                    "sharded-id.databases." + name + ".replication is invalid. " + e.getMessage(), e);
        }
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first == null ? second : first;
    }
}
