package io.github.shardedid.provisioning;

import org.flywaydb.core.api.configuration.FluentConfiguration;

/** The application's settings of Flyway: placeholders, callbacks, Java migrations, out-of-order and the like. */
@FunctionalInterface
public interface FlywayCustomizer {
    /**
     * Changes settings. Called for each shard, by several threads at once. Settings that belong to the shard are set
     * afterwards and cannot be changed: data source, locations, schemas, the name of the history table, Flyway's
     * lock, and the baseline of a new shard.
     *
     * @param configuration with Flyway's defaults
     */
    void customize(FluentConfiguration configuration);
}
