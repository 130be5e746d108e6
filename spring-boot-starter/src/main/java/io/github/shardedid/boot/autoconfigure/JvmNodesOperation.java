package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.JvmNodesChange;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.Objects;

/** {@code --sharded-id.change-jvm-nodes-to=16}: see {@link JvmNodesChange}. */
final class JvmNodesOperation implements ClusterOperation {
    @Override
    public String property() {
        return "sharded-id.change-jvm-nodes-to";
    }

    @Override
    public void run(
            ShardedIdProperties properties,
            ClusterDefinition definition,
            ShardedDatabases databases,
            ShardMigrations migrations) {
        int nodes = Objects.requireNonNull(properties.changeJvmNodesTo());
        try {
            definition.layout().withJvmNodes(nodes);
        } catch (IllegalArgumentException e) {
            throw new ShardedIdPropertiesException(property() + " cannot be " + nodes + ". " + e.getMessage(), e);
        }
        new JvmNodesChange(definition, databases.byName()).run(nodes, JvmNodesChange.DEFAULT_WAIT);
    }
}
