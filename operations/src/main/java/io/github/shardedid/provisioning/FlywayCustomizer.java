package io.github.shardedid.provisioning;

import org.flywaydb.core.api.configuration.FluentConfiguration;

/** The application's own settings of Flyway: placeholders, callbacks, Java migrations, out-of-order and the like. */
@FunctionalInterface
public interface FlywayCustomizer {
    /**
     * Changes what is to be otherwise. Called for each shard, by several threads at once. What makes a schema a shard's is
     * set afterwards and cannot be changed: data source, locations, schemas, the history table's name, Flyway's lock, and the baseline of a
     * new shard.
     *
     * @param configuration as Flyway has it by default
     */
    void customize(FluentConfiguration configuration);
}
