package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.internal.FunctionBinding;
import io.github.shardedid.provisioning.internal.SchemaMigrations;
import io.github.shardedid.provisioning.internal.ScriptSet;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import liquibase.ChecksumVersion;
import liquibase.changelog.ChangeSet;
import liquibase.exception.ValidationFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Runs Liquibase, but neither its command nor its lock: the command commits a change set before the row of its history and resets
 * services that other uses share, and the lock outlives a process that is killed.
 *
 * @param changeLog the application's
 * @param classLoader finds its files; null for the current thread's context class loader
 */
record LiquibaseMigrations(ChangeLog changeLog, @Nullable ClassLoader classLoader, CommonSchemas commonSchemas)
        implements SchemaMigrations {
    static final String TABLE = "databasechangelog";

    /** Preconditions are evaluated in each shard, so the statements of one shard need not be those of another. */
    @Override
    public boolean replays() {
        return false;
    }

    @Override
    public String historyTable() {
        return TABLE;
    }

    /** Liquibase stores no failures. */
    @Override
    public String standingSql(String history) {
        return "(SELECT concat_ws('::', filename, id, author) FROM " + history
                + " ORDER BY orderexecuted DESC LIMIT 1), NULL::text";
    }

    /** Without {@code runOnChange}, a change set has one checksum for ever. */
    @Override
    public ScriptSet scriptSet(Connection connection) throws SQLException {
        String failure = "The change log " + changeLog.location() + " cannot be read: %s. Nothing was changed.";
        return run(connection, "sharded_id", true, failure, log -> {
            List<ChangeSet> changeSets = log.checked();
            return ScriptSet.of(
                    changeSets.stream().map(LiquibaseMigrations::line),
                    changeSets.stream().filter(one -> !one.shouldRunOnChange()).map(LiquibaseMigrations::line));
        });
    }

    private static String line(ChangeSet one) {
        return one.toNormalizedString() + "|" + one.generateCheckSum(ChecksumVersion.latest());
    }

    @Override
    public History history(Connection connection, String schema) throws SQLException {
        String failure = "The history of change sets in schema " + schema + " cannot be read: %s. Provision again.";
        return run(connection, schema, true, failure, SchemaChangeLog::history);
    }

    @Override
    public void migrate(Connection connection, String schema, String where) throws SQLException {
        String failure = "The change log failed in " + where
                + ": %s. What ran before stays. Remove the cause and provision again: it continues there.";
        run(connection, schema, false, failure, log -> {
            log.update();
            return true;
        });
        FunctionBinding.bind(connection, schema, commonSchemas);
    }

    private interface Work<T> {
        T on(SchemaChangeLog log) throws Exception;
    }

    /** A failure has one line, with the reason in place of {@code %s}. */
    private <T> T run(Connection connection, String schema, boolean inspects, String failure, Work<T> work)
            throws SQLException {
        return SearchPath.keeping(connection, commonSchemas, () -> {
            SchemaDatabase[] database = new SchemaDatabase[1];
            try {
                return OwnScope.call(classLoader, () -> {
                    database[0] = new SchemaDatabase(connection, schema, inspects);
                    return work.on(new SchemaChangeLog(changeLog, database[0]));
                });
            } catch (ProvisioningException e) {
                throw e;
            } catch (Exception e) {
                ChangeSet running = database[0] == null ? null : database[0].running();
                String reason = reason(e) + (running == null ? "" : ", in change set " + running.toString(false));
                throw new ProvisioningException(Reason.FAILED_MIGRATION, failure.replace("%s", reason), e);
            }
        });
    }

    /** Returns what the database said, or else the innermost message, in one line without a full stop. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof SQLException || cause instanceof ValidationFailedException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = FailureReason.of(cause).replaceAll("\\s+", " ").replaceFirst("\\.$", "");
        return cause instanceof ValidationFailedException
                ? reason + ". A change set that has run must not be changed: put it back, and add another"
                : reason;
    }
}
