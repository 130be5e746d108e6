package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DriftReport;
import io.github.shardedid.provisioning.ShardMigrations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code --sharded-id.report-drift}: see {@link DriftReport}. */
final class DriftOperation implements ClusterOperation {
    private static final Logger LOG = LoggerFactory.getLogger(DriftOperation.class);

    @Override
    public String property() {
        return "sharded-id.report-drift";
    }

    @Override
    public void run(
            ShardedIdProperties properties,
            ClusterDefinition definition,
            ShardedDatabases databases,
            ShardMigrations migrations) {
        ConfiguredCluster.provisioner(properties, definition, databases, migrations)
                .drift()
                .lines()
                .forEach(line -> LOG.info("{}", line));
    }
}
