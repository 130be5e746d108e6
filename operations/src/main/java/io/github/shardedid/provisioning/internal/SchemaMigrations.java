package io.github.shardedid.provisioning.internal;

import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The application's scripts, and the tool that runs them in the schema of a shard or of the global entities, on connections in
 * autocommit mode, whose settings are restored. {@link #fingerprint} and {@link #history}
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
     * @throws ProvisioningException if they cannot be read
     */
    ScriptSet scriptSet(Connection connection) throws SQLException;

    /** Reads what has run in a schema, in which scripts of another version of the application may have run, too. */
    History history(Connection connection, String schema) throws SQLException;

    /**
     * What has run in a schema, compared with the scripts.
     *
     * @param complete whether there would be nothing to do and nothing wrong
     * @param others a text for each script that has run and is not known here, in any order
     * @param comparison with the scripts
     */
    record History(boolean complete, List<String> others, ScriptComparison comparison) {
        /**
         * Returns the fingerprint of a schema in which all scripts of this one have run: that one, unless others have run there, too.
         * Two schemas of one fingerprint have run the same scripts, so that inspecting one is enough.
         */
        String standing(String fingerprint) {
            return others.isEmpty()
                    ? fingerprint
                    : ScriptSet.hash(Stream.concat(
                            Stream.of(fingerprint), others.stream().sorted()));
        }
    }

    /**
     * Runs what has not run yet in a schema, which must exist. Scripts before one that fails stay.
     *
     * @param where names the schema in messages
     * @throws ProvisioningException if one fails
     */
    void migrate(Connection connection, String schema, String where) throws SQLException;
}
