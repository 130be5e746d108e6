package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.schema.IdConstraints;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.internal.inspection.WritableSchemas;
import io.github.shardedid.provisioning.internal.migration.FunctionBinding;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;

/** What each database gets after the migrations. Sends only queries if nothing is missing. */
record Completion(
        ClusterDefinition definition, CommonSchemas commonSchemas, ProvisioningOptions options, RoleGrants grants) {
    void run(String database, Connection connection) throws SQLException {
        WritableSchemas.warn(database, connection, commonSchemas);
        if (options.idConstraints()) {
            IdConstraints.complete(database, connection, definition.layout(), options.colocated());
        }
        FunctionBinding.bindAll(database, connection, commonSchemas);
        if (grants.areAny()) {
            grants.grant(database, connection);
        }
    }
}
