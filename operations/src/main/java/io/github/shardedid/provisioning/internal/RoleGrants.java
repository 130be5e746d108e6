package io.github.shardedid.provisioning.internal;

import io.github.shardedid.WayOut;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.ShardSchemas;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.ClusterRoles;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores the roles of the cluster in a database, and grants them missing privileges. The statements are in {@code roles.sql}. */
record RoleGrants(ClusterRoles roles, @Nullable GlobalWork global) {
    private static final String MISSING = Sql.load(RoleGrants.class, "missing_roles.sql");
    private static final String NO_MEMBER = Sql.load(RoleGrants.class, "no_member.sql");

    private static final String REMEMBER = Sql.load(RoleGrants.class, "remember_roles.sql");

    /** Returns whether a role is named. */
    boolean areAny() {
        return !roles.byPurpose().isEmpty();
    }

    /** Provisioning creates no roles, which would need more privileges than it should have. The mover acts for the role that owns the shards. */
    void requireRoles(String database, Connection connection) throws SQLException {
        List<String> missing =
                Sql.strings(connection, MISSING, List.copyOf(roles.byPurpose().values()));
        if (!missing.isEmpty()) {
            throw refused("Database " + database + " has no roles " + missing
                    + ", which are to be granted privileges. Create them on that server, or correct "
                    + WayOut.ROLES.of() + ".");
        }
        for (List<@Nullable String> row : Sql.rows(connection, NO_MEMBER, roles.mover())) {
            throw refused("Role " + row.get(0) + " of database " + database
                    + " is to move shards, but is not a member of their owner. Run GRANT " + row.get(1) + " TO "
                    + row.get(0) + ", or correct " + WayOut.ROLES.of() + ".");
        }
    }

    private static ProvisioningException refused(String message) {
        return new ProvisioningException(Reason.MISSING_OBJECT, message + " Nothing was changed.");
    }

    /** In schema {@code sharded_id}, and in those of all shards that are not being moved. One instance at a time. */
    void grant(String database, Connection connection) throws SQLException {
        try (SessionLock lock = SessionLock.take(database, connection, SessionLock.DATABASE)) {
            Transaction.run(connection, () -> {
                Map<String, String> names = roles.byPurpose();
                Sql.update(connection, REMEMBER, List.copyOf(names.keySet()), List.copyOf(names.values()));
                ShardSchemas.grantRoles(connection, null);
                if (global != null && global.global().database().equals(database)) {
                    ShardSchemas.grantRoles(connection, global.global().schema());
                }
            });
        }
    }
}
