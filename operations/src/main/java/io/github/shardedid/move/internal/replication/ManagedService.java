package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Who runs a server, and hence how its administrators change settings and grant what PostgreSQL reserves to superusers. A service
 * is recognized by the role of its administrators, which exists on all of its servers.
 */
enum ManagedService {
    AMAZON("rds_superuser", "GRANT rds_replication TO %s", "Set %s = %s in the DB parameter group"),
    GOOGLE("cloudsqlsuperuser", "ALTER ROLE %s REPLICATION", "Set the database flag %s = %s"),
    GOOGLE_ALLOYDB("alloydbsuperuser", "ALTER ROLE %s REPLICATION", "Set the database flag %s = %s"),
    AZURE("azure_pg_admin", "ALTER ROLE %s REPLICATION", "Set the server parameter %s = %s"),
    NONE("", "ALTER ROLE %s REPLICATION", "Run ALTER SYSTEM SET %s = %s");

    private static final int SUBSCRIBE_ROLE_SINCE = 16;

    private final String administrators;
    private final String replication;
    private final String setting;

    ManagedService(String administrators, String replication, String setting) {
        this.administrators = administrators;
        this.replication = replication;
        this.setting = setting;
    }

    /** Who runs the server of a connection. */
    static ManagedService of(Connection connection) throws SQLException {
        String roles =
                "SELECT rolname FROM pg_roles WHERE rolname IN ('rds_superuser', 'cloudsqlsuperuser', 'alloydbsuperuser', 'azure_pg_admin')";
        var found = Sql.strings(connection, roles);
        return Arrays.stream(values())
                .filter(service -> found.contains(service.administrators))
                .findFirst()
                .orElse(NONE);
    }

    /** Returns the statement that lets a role replicate. */
    String replicate(String role) {
        return replication.formatted(role);
    }

    /** Returns how a role is permitted to create subscriptions, in PostgreSQL of this release. */
    String subscribe(String role, int major) {
        String member = "GRANT " + administrators + " TO " + role;
        if (major < SUBSCRIBE_ROLE_SINCE) {
            return this == NONE
                    ? "Only superusers create subscriptions in PostgreSQL " + major
                            + ". Move with a superuser, or offline."
                    : "Run " + member + "; no restart.";
        }
        String grant = "Run GRANT pg_create_subscription TO " + role + "; no restart.";
        return this == NONE ? grant : grant + " Where the service does not allow that: " + member + ".";
    }

    /** Returns how logical decoding is enabled. */
    String logicalDecoding() {
        return switch (this) {
            case AMAZON -> set("rds.logical_replication", "1");
            case GOOGLE -> set("cloudsql.logical_decoding", "on");
            case GOOGLE_ALLOYDB -> set("alloydb.logical_decoding", "on");
            default -> set("wal_level", "'logical'");
        };
    }

    /** Returns how a setting is changed. */
    String set(String name, String value) {
        return setting.formatted(name, value);
    }
}
