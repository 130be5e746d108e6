package io.github.shardedid.provisioning.internal.migration;

import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrationException;
import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The application's scripts, and the tool that runs them in the schema of a shard or of the global entities, on connections in
 * autocommit mode, whose settings are restored. {@link #fingerprint}, {@link #isComplete}, {@link #compare} and {@link #standing}
 * change nothing in the database. Safe for use by several threads.
 */
public interface SchemaMigrations {
    /** The schemas that are visible beside the one that is migrated. */
    CommonSchemas commonSchemas();

    /** Whether statements may be replayed: not if Java code of the application is called in each shard. */
    boolean replays();

    /** The table in each schema with what has run there. */
    History history();

    /** A tool's history of a schema. */
    enum History {
        /** Flyway's table. */
        FLYWAY("flyway_schema_history"),
        /** Liquibase's table. */
        LIQUIBASE("databasechangelog");

        private final String table;

        History(String table) {
            this.table = table;
        }

        /** The name of the table. */
        public String table() {
            return table;
        }
    }

    /** The schema of a shard, in messages. */
    static String where(String database, int shard) {
        return "shard " + shard + " of database " + database;
    }

    /** The schema of the global entities, in messages. */
    static String where(GlobalDatabase global) {
        return "the global schema " + global.schema() + " of database " + global.database();
    }

    /** Identifies the scripts: 64 hexadecimal digits, or null if there are none. Any database of the cluster will do. */
    default @Nullable String fingerprint(Connection connection) throws SQLException {
        ScriptSet own = scriptSet(connection);
        return own.equals(ScriptSet.NONE) ? null : own.fingerprint();
    }

    /**
     * The scripts. Any database of the cluster will do.
     *
     * @throws ShardMigrationException if they cannot be read
     */
    ScriptSet scriptSet(Connection connection) throws SQLException;

    /**
     * Whether there would be nothing to do and nothing wrong in a schema, in which further scripts of a newer version of the
     * application may have run. False also if the tool fails.
     */
    boolean isComplete(Connection connection, String schema) throws SQLException;

    /** Compares the scripts that have run in a schema with these. */
    ScriptComparison compare(Connection connection, String schema) throws SQLException;

    /** The fingerprint of a complete schema: that of these scripts, or another one if others have run there, too. */
    String standing(Connection connection, String schema, String fingerprint) throws SQLException;

    /**
     * Runs what has not run yet in the schema of a shard, which must exist. Scripts before one that fails stay.
     *
     * @throws ShardMigrationException if one fails
     */
    void migrate(Connection connection, String database, int shard) throws SQLException;

    /**
     * Runs what has not run yet in the schema of the global entities, which must exist.
     *
     * @throws ShardMigrationException if a script fails
     */
    void migrate(Connection connection, GlobalDatabase global) throws SQLException;

    /**
     * Repairs the history of a shard, so that it fits today's scripts. What a script left behind that failed outside of a transaction
     * must have been removed by hand, or the script must tolerate it.
     *
     * @throws ShardMigrationException if the tool fails
     */
    void repair(Connection connection, String database, int shard) throws SQLException;

    /**
     * The same for the schema of the global entities.
     *
     * @throws ShardMigrationException if the tool fails
     */
    void repair(Connection connection, GlobalDatabase global) throws SQLException;
}
