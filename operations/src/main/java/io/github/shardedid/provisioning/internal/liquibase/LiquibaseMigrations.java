package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrationException;
import io.github.shardedid.provisioning.internal.FunctionBinding;
import io.github.shardedid.provisioning.internal.SchemaMigrations;
import io.github.shardedid.provisioning.internal.ScriptSet;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import liquibase.ChecksumVersion;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.RanChangeSet;
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
        return inspect(
                connection,
                "sharded_id",
                log -> {
                    List<ChangeSet> changeSets = log.changeSets();
                    ChangeSetRules.check(changeSets);
                    log.baseline(); // refuses what is none
                    return ScriptSet.of(
                            changeSets.stream().map(LiquibaseMigrations::line),
                            changeSets.stream()
                                    .filter(one -> !one.shouldRunOnChange())
                                    .map(LiquibaseMigrations::line));
                },
                e -> "The change log " + changeLog.location() + " cannot be read: " + ChangeLogFailure.reason(e)
                        + ". Nothing was changed.");
    }

    private static String line(ChangeSet one) {
        return one.toNormalizedString() + "|" + one.generateCheckSum(ChecksumVersion.latest());
    }

    @Override
    public boolean isComplete(Connection connection, String schema) throws SQLException {
        try {
            return inspect(connection, schema, SchemaChangeLog::isComplete, ChangeLogFailure::reason);
        } catch (ShardMigrationException e) {
            return false; // the migration reports it
        }
    }

    @Override
    public ScriptComparison compare(Connection connection, String schema) throws SQLException {
        return inspect(connection, schema, SchemaChangeLog::compare, e -> unreadable(schema, e));
    }

    @Override
    public String standing(Connection connection, String schema, String fingerprint) throws SQLException {
        return inspect(
                connection,
                schema,
                log -> {
                    List<RanChangeSet> others = log.unknown();
                    return others.isEmpty()
                            ? fingerprint
                            : ScriptSet.hash(Stream.concat(
                                    Stream.of(fingerprint),
                                    others.stream()
                                            .map(row -> row + "|" + row.getLastCheckSum())
                                            .sorted()));
                },
                e -> unreadable(schema, e));
    }

    private static String unreadable(String schema, Exception e) {
        return "The history of change sets in schema " + schema + " cannot be read: " + ChangeLogFailure.reason(e)
                + ". Provision again.";
    }

    @Override
    public void migrate(Connection connection, String schema, String where) throws SQLException {
        run(
                connection,
                schema,
                false,
                log -> {
                    log.update(where);
                    return schema;
                },
                e -> ChangeLogFailure.message(e, null, where));
        FunctionBinding.bind(connection, schema, commonSchemas);
    }

    @Override
    public void repair(Connection connection, String schema, String where) throws SQLException {
        run(
                connection,
                schema,
                false,
                log -> {
                    log.repair();
                    return schema;
                },
                e -> "The history of change sets in " + where + " cannot be repaired: " + ChangeLogFailure.reason(e)
                        + ". Remove the cause and repair again.");
    }

    private interface Work<T> {
        T on(SchemaChangeLog log) throws Exception;
    }

    /** Liquibase may correct rows of the history when it reads them: nothing is committed. */
    private <T> T inspect(Connection connection, String schema, Work<T> work, Function<Exception, String> message)
            throws SQLException {
        return run(connection, schema, true, work, message);
    }

    private <T> T run(
            Connection connection, String schema, boolean inspect, Work<T> work, Function<Exception, String> message)
            throws SQLException {
        return SearchPath.keeping(connection, commonSchemas, () -> {
            LentJdbcConnection lent = new LentJdbcConnection(connection);
            lent.defer(inspect);
            try {
                return OwnScope.call(
                        classLoader,
                        () -> work.on(new SchemaChangeLog(changeLog, lent, new SchemaDatabase(lent, schema))));
            } catch (ShardMigrationException e) {
                throw e;
            } catch (Exception e) {
                throw new ShardMigrationException(message.apply(e), e);
            }
        });
    }
}
