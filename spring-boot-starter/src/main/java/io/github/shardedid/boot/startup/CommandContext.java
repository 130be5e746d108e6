package io.github.shardedid.boot.startup;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardRangesException;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.bind.Binder;

/**
 * The value of a command, and what it works on.
 *
 * @param property the property of the command
 * @param value the value of the property
 * @param binder binds further properties
 * @param cluster the configuration
 * @param pools connection pools of all databases
 * @param migrations creates beans, and is called only by commands that need the migrations
 */
record CommandContext(
        String property,
        String value,
        Binder binder,
        ConfiguredCluster cluster,
        ShardedDatabases pools,
        Supplier<ShardMigrations> migrations) {
    ShardMover mover() {
        return cluster.mover(pools, migrations.get(), List.of());
    }

    Provisioner provisioner() {
        return cluster.provisioner(pools, migrations.get());
    }

    boolean isTrue(String other) {
        return binder.bind(other, Boolean.class).orElse(false);
    }

    /** The value as shards, such as {@code 17,20-29}. */
    ShardRanges shards() {
        return ShardsAndDatabase.shards(property, value);
    }

    /** The value as shards and a database, such as {@code 17,20-29:pg2}. */
    ShardsAndDatabase shardsAndDatabase() {
        return ShardsAndDatabase.parse(property, value);
    }

    /**
     * Shards and a database in the form of the command line, such as {@code 17,20-29:pg2}.
     *
     * @param shards one or more logical shards
     * @param database the name of a database
     */
    record ShardsAndDatabase(ShardRanges shards, String database) {
        static ShardsAndDatabase parse(String property, String value) {
            int colon = value.indexOf(':');
            if (colon < 1 || colon == value.length() - 1) {
                throw new ShardedIdPropertiesException(property + " cannot be \"" + value
                        + "\". Write shards, a colon and a database, such as 17:pg2.");
            }
            return new ShardsAndDatabase(
                    shards(property, value.substring(0, colon)),
                    value.substring(colon + 1).strip());
        }

        static ShardRanges shards(String property, String value) {
            try {
                ShardRanges ranges = ShardRanges.parse(value);
                if (ranges.shards().findAny().isEmpty()) {
                    throw new ShardedIdPropertiesException(property + " names no shard. Write one, such as 17.");
                }
                return ranges;
            } catch (ShardRangesException e) {
                throw new ShardedIdPropertiesException(property + " cannot be \"" + value + "\". " + e.getMessage(), e);
            }
        }
    }
}
