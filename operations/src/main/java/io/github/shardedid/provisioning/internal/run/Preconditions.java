package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What each database must have before anything is written in any of them. */
record Preconditions(RoleGrants grants, CommonSchemas common, @Nullable GlobalWork global) {
    private static final String EXISTS =
            "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = cast(? AS pg_catalog.name)";

    /** The search path is pinned. */
    void require(String database, Connection connection) throws SQLException {
        Workers.<SQLException>runAll(List.of(
                () -> requireSchemas(database, connection), () -> grants.requireRoles(database, connection), () -> {
                    if (global != null && global.global().database().equals(database)) {
                        global.migrations().fingerprint(connection);
                    }
                }));
    }

    private void requireSchemas(String database, Connection connection) throws SQLException {
        List<String> missing = new ArrayList<>();
        for (String name : common.names()) {
            if (Sql.number(connection, EXISTS, name) == 0) {
                missing.add("'" + name + "'");
            }
        }
        if (!missing.isEmpty()) {
            throw new ProvisioningRefusedException(
                    Reason.MISSING_OBJECT,
                    "Database " + database + " has no schema " + String.join(", ", missing)
                            + ", which sharded-id.common-schemas names. Create it there, or correct the property: names are"
                            + " case-sensitive and have no quotes. Nothing was changed.");
        }
    }
}
