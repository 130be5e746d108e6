package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.DatabaseNames;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ProvisioningOptions;
import java.time.InstantSource;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a provisioner is given. Immutable.
 *
 * @param migrations the scripts of the shards
 * @param global null if there are no global entities
 * @param clock tells whether the layout can express the present
 */
public record Setup(
        ClusterDefinition definition,
        Map<String, DataSource> databases,
        SchemaMigrations migrations,
        @Nullable GlobalWork global,
        InstantSource clock,
        ProvisioningOptions options) {
    /** Checks the names of the databases. */
    public Setup {
        DatabaseNames.requireSame(definition.initialShards().keySet(), databases.keySet());
    }
}
