package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Database;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Layout;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.UnknownShardException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * A sharded cluster as the properties below {@code sharded-id} configure it, for programs that work on its databases without
 * starting the application. Connects to no database by itself. Immutable and safe for use by several threads.
 *
 * @param properties the properties
 * @param definition the definition of the cluster
 * @param beans know how databases are connected to, in preference to the properties
 */
public record ConfiguredCluster(ShardedIdProperties properties, ClusterDefinition definition, ConnectionBeans beans) {
    private static final String DATABASES = "sharded-id.databases";

    /**
     * Reads the configuration of an environment.
     *
     * @param environment the environment of the application
     * @return the cluster
     * @throws ClusterConfigurationException if a property is unknown, missing or invalid
     */
    public static ConfiguredCluster of(Environment environment) {
        ShardedIdProperties properties = PropertyCheck.check(environment);
        return new ConfiguredCluster(properties, definitionOf(properties), ConnectionBeans.NONE);
    }

    /**
     * Returns the same cluster with the beans of an application.
     *
     * @param beans know connections, in preference to the properties
     * @return the cluster
     */
    public ConfiguredCluster with(ConnectionBeans beans) {
        return new ConfiguredCluster(properties, definition, beans);
    }

    /**
     * Returns whether an environment configures a sharded cluster.
     *
     * @param environment the environment
     * @return whether there is a property below {@code sharded-id.databases}
     */
    public static boolean isConfigured(Environment environment) {
        try {
            return Binder.get(environment)
                            .bind(DATABASES, Bindable.mapOf(String.class, Object.class))
                            .map(databases -> !databases.isEmpty())
                            .orElse(false)
                    || PropertyCheck.unreadVariables(environment).findAny().isPresent();
        } catch (BindException e) {
            return true; // PropertyCheck reports what is invalid, without the value.
        }
    }

    /**
     * Returns the definition of the cluster that properties configure.
     *
     * @param properties the properties
     * @return the definition
     * @throws ClusterConfigurationException if a property is missing or invalid
     */
    public static ClusterDefinition definitionOf(ShardedIdProperties properties) {
        Integer shards = properties.shards();
        if (shards == null || shards < 1) {
            throw new ClusterConfigurationException("sharded-id.shards is " + (shards == null ? "not set" : shards)
                    + ". Set it to the number of logical shards, 1 or more: far more than databases, such as 2000, since"
                    + " keys stay on those that the cluster is created with.");
        }
        IdLayout layout = layout(properties);
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        properties.databases().forEach((name, database) -> ranges.put(name, ranges(name, database)));
        try {
            return new ClusterDefinition(layout, shards, ranges);
        } catch (UnknownShardException e) {
            throw new ClusterConfigurationException(
                    "sharded-id.shards is too large. " + e.getMessage() + " Lower it, or raise"
                            + " sharded-id.layout.shard-bits at the cost of another field.",
                    e);
        }
    }

    private static IdLayout layout(ShardedIdProperties properties) {
        Layout layout = properties.layout();
        try {
            return new IdLayout(
                    properties.epoch() == null ? IdLayout.PUBLISHED_EPOCH : properties.epoch(),
                    layout.unit(),
                    layout.timestampBits(),
                    layout.shardBits(),
                    layout.sequenceBits(),
                    properties.jvmNodes());
        } catch (IllegalArgumentException e) {
            throw new ClusterConfigurationException(
                    "The layout of ids in sharded-id.epoch, sharded-id.jvm-nodes and sharded-id.layout is invalid. "
                            + e.getMessage(),
                    e);
        }
    }

    private static ShardRanges ranges(String name, Database database) {
        try {
            return ShardRanges.parse(String.join(",", database.shards()));
        } catch (ClusterConfigurationException e) {
            throw new ClusterConfigurationException(
                    DATABASES + "." + name + ".shards is invalid. " + e.getMessage(), e);
        }
    }

    /**
     * Creates connection pools for all databases. They connect when they are first used.
     *
     * @return the pools, to be closed by the caller
     * @throws ClusterConfigurationException if a database is not configured, or a setting of its pool is invalid
     */
    public ShardedDatabases openPools() {
        return DatabasePools.of(properties, definition, beans);
    }

    /**
     * Returns the migrations of the shards, without Flyway customizers.
     *
     * @param classLoader loads the scripts
     * @return the migrations
     */
    public ShardMigrations migrations(ClassLoader classLoader) {
        return ConfiguredOptions.migrations(properties, classLoader, List.of());
    }

    /**
     * Creates a provisioner without a global database.
     *
     * @param pools connection pools of the databases
     * @param migrations migrations of the shards
     * @return the provisioner
     * @throws ClusterConfigurationException if a property is invalid
     */
    public Provisioner provisioner(ShardedDatabases pools, ShardMigrations migrations) {
        return new Provisioner(definition, pools.direct(), migrations)
                .withOptions(ConfiguredOptions.provisioning(properties));
    }

    /**
     * Creates a mover of shards that logs its progress.
     *
     * @param pools connection pools of the databases
     * @param migrations migrations of the shards
     * @param listeners receive the progress, too
     * @return the mover
     * @throws ClusterConfigurationException if a property is missing or invalid
     */
    public ShardMover mover(
            ShardedDatabases pools, ShardMigrations migrations, List<? extends MoveListener> listeners) {
        return new ShardMover(
                definition,
                pools.direct(),
                migrations,
                ConfiguredOptions.moves(properties.moves(), properties.databases(), pools.direct(), beans, listeners));
    }
}
