package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;

/** {@code --sharded-id.repair-migrations}: see {@link io.github.shardedid.provisioning.Provisioner#repair()}. */
final class RepairOperation implements ClusterOperation {
    @Override
    public String property() {
        return "sharded-id.repair-migrations";
    }

    @Override
    public void run(
            ShardedIdProperties properties,
            ClusterDefinition definition,
            ShardedDatabases databases,
            ShardMigrations migrations) {
        ConfiguredCluster.provisioner(properties, definition, databases, migrations)
                .repair();
    }
}
