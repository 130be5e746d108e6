package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;

/** What is done with the databases when the application is started with a certain property, instead of serving. */
interface ClusterOperation {
    /** The property that asks for it. */
    String property();

    /**
     * Does it. Progress goes to the log.
     *
     * @param migrations the shards', with what the application's beans say of Flyway
     */
    void run(
            ShardedIdProperties properties,
            ClusterDefinition definition,
            ShardedDatabases databases,
            ShardMigrations migrations);
}
