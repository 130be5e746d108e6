package io.github.shardedid.provisioning.internal;

import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrationException;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The application's scripts, and the tool that runs them in the schema of a shard or of the global entities, on connections in
 * autocommit mode, whose settings are restored. {@link #fingerprint}, {@link #isComplete}, {@link #compare} and {@link #standing}
 * change nothing in the database. Safe for use by several threads.
 */
public interface SchemaMigrations {
    /** Returns the schemas that are visible beside the one that is migrated. */
    CommonSchemas commonSchemas();

    /** Returns whether statements may be replayed: not if Java code of the application is called in each shard. */
    boolean replays();

    /** Returns the name of the table, in each schema, that says what has run there. */
    String historyTable();

    /**
     * Returns two expressions of SQL that read a history: the version of the last versioned script that succeeded, or null; and the names
     * of scripts that failed, one per line, or null.
     *
     * @param history the qualified name of the table
     */
    String standingSql(String history);

    /** Returns what identifies the scripts: 64 hexadecimal digits, or null if there are none. Any database of the cluster will do. */
    default @Nullable String fingerprint(Connection connection) throws SQLException {
        ScriptSet own = scriptSet(connection);
        return own.equals(ScriptSet.NONE) ? null : own.fingerprint();
    }

    /**
     * Reads the scripts. Any database of the cluster will do.
     *
     * @throws ShardMigrationException if they cannot be read
     */
    ScriptSet scriptSet(Connection connection) throws SQLException;

    /**
     * Returns whether there would be nothing to do and nothing wrong in a schema, in which further scripts of a newer version of the
     * application may have run.
     */
    boolean isComplete(Connection connection, String schema) throws SQLException;

    /** Compares the scripts that have run in a schema with these. */
    ScriptComparison compare(Connection connection, String schema) throws SQLException;

    /** Returns the fingerprint of a complete schema: that of these scripts, or another one if others have run there, too. */
    String standing(Connection connection, String schema, String fingerprint) throws SQLException;

    /**
     * Runs what has not run yet in a schema, which must exist. Scripts before one that fails stay.
     *
     * @param where names the schema in messages
     * @throws ShardMigrationException if one fails
     */
    void migrate(Connection connection, String schema, String where) throws SQLException;
}
