package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.internal.exception.FlywayMigrateException;
import org.flywaydb.core.internal.sqlscript.FlywaySqlScriptException;

/**
 * Runs Flyway.
 *
 * @param scripts the application's scripts, and the settings of Flyway
 */
public record FlywayMigrations(ShardMigrations scripts) implements SchemaMigrations {
    /** Characters in the name of the role, which Flyway writes without escaping it into the script that creates its table. */
    private static final Pattern SPECIAL = Pattern.compile("['\\\\$#{}]");

    /** Below every version of a script. */
    private static final MigrationVersion BEGINNING = MigrationVersion.fromVersion("0");

    private static final Set<MigrationState> UNKNOWN_HERE =
            EnumSet.of(MigrationState.FUTURE_SUCCESS, MigrationState.MISSING_SUCCESS);

    @Override
    public CommonSchemas commonSchemas() {
        return scripts.commonSchemas();
    }

    @Override
    public boolean replays() {
        if (!scripts.replay()) {
            return false;
        }
        FluentConfiguration configuration = customized();
        return configuration.getCallbacks().length == 0 && configuration.getJavaMigrations().length == 0;
    }

    @Override
    public String historyTable() {
        return "flyway_schema_history";
    }

    @Override
    public String standingSql(String history) {
        return "(SELECT version FROM " + history
                + " WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1), (SELECT"
                + " string_agg(script, '\n' ORDER BY installed_rank) FROM " + history + " WHERE NOT success)";
    }

    @Override
    public ScriptSet scriptSet(Connection connection) throws SQLException {
        if (scripts.locations().isEmpty()) {
            return ScriptSet.NONE;
        }
        MigrationInfo[] all = run(
                connection,
                () -> inspecting(connection, "sharded_id").info().all(),
                e -> "The migrations at " + scripts.locations() + " cannot be read: " + FailureReason.of(e)
                        + ". Nothing was changed.");
        Arrays.stream(all).forEach(FlywayMigrations::checkVersion);
        return ScriptSet.of(
                Arrays.stream(all).map(FlywayMigrations::line),
                Arrays.stream(all).filter(one -> one.getVersion() != null).map(FlywayMigrations::line));
    }

    /** A repeatable script with other contents is outdated there, or here, which Flyway cannot know. */
    @Override
    public History history(Connection connection, String schema) throws SQLException {
        return run(
                connection,
                () -> {
                    Flyway flyway = inspecting(connection, schema);
                    MigrationInfo[] all = flyway.info().all();
                    boolean complete = flyway.info().pending().length == 0
                            && (!flyway.getConfiguration().isValidateOnMigrate()
                                    || flyway.validateWithResult().validationSuccessful);
                    List<String> newer = named(all, MigrationState.FUTURE_SUCCESS, MigrationState.OUTDATED);
                    List<String> missing = new ArrayList<>(named(all, MigrationState.PENDING, MigrationState.IGNORED));
                    missing.removeAll(newer);
                    List<String> others = Arrays.stream(all)
                            .filter(one -> UNKNOWN_HERE.contains(one.getState()))
                            .map(FlywayMigrations::line)
                            .toList();
                    return new History(complete, others, new ScriptComparison(newer, missing));
                },
                e -> "The history of scripts in schema " + schema + " cannot be read: " + FailureReason.of(e)
                        + ". Provision again.");
    }

    private static List<String> named(MigrationInfo[] all, MigrationState... states) {
        return Arrays.stream(all)
                .filter(one -> List.of(states).contains(one.getState()))
                .map(MigrationInfo::getScript)
                .toList();
    }

    @Override
    public void migrate(Connection connection, String schema, String where) throws SQLException {
        if (scripts.locations().isEmpty()) {
            return;
        }
        run(connection, () -> flyway(customized(), connection, schema).migrate(), e -> message(e, schema, where));
        FunctionBinding.bind(connection, schema, scripts.commonSchemas());
    }

    /** The wrappers make the schema of a shard non-empty for Flyway, which then needs a baseline: below every version except 0. */
    private static void checkVersion(MigrationInfo migration) {
        MigrationVersion version = migration.getVersion();
        if (version != null
                && (version.compareTo(BEGINNING) <= 0 || migration.getType().isBaseline())) {
            throw new ProvisioningException(
                    Reason.FAILED_MIGRATION,
                    "The migration " + migration.getScript()
                            + " has version 0, where the schema of a shard begins, or is a"
                            + " baseline script, which does not run there. Number it from V1.",
                    new IllegalArgumentException(migration.getScript()));
        }
    }

    private <T> T run(Connection connection, Sql.Query<T> flyway, Function<FlywayException, String> message)
            throws SQLException {
        return SearchPath.keeping(connection, scripts.commonSchemas(), () -> {
            try {
                return flyway.run();
            } catch (FlywayException e) {
                throw new ProvisioningException(Reason.FAILED_MIGRATION, message.apply(e), e);
            }
        });
    }

    /** Returns Flyway for an inspection, without callbacks, which may change something. */
    private Flyway inspecting(Connection connection, String schema) throws SQLException {
        return flyway(customized().callbacks(new Callback[0]).skipDefaultCallbacks(true), connection, schema);
    }

    private Flyway flyway(FluentConfiguration customized, Connection connection, String schema) throws SQLException {
        String role = String.valueOf(Sql.text(connection, "SELECT current_user"));
        if (customized.getInstalledBy() == null) {
            customized.installedBy(SPECIAL.matcher(role).replaceAll("_"));
        }
        return customized
                .configuration(Map.of(
                        // The lock is the session's, because a transaction's would end with the first script on one
                        // connection.
                        "flyway.postgresql.transactional.lock", "false"))
                .dataSource(JdbcProxies.lending(connection, role))
                .locations(scripts.locations().toArray(String[]::new))
                .schemas(schema)
                .defaultSchema(schema)
                .table(historyTable())
                .createSchemas(false)
                .baselineOnMigrate(true)
                .baselineVersion(BEGINNING)
                .baselineDescription("Sharded id wrappers")
                .load();
    }

    private FluentConfiguration customized() {
        FluentConfiguration configuration =
                scripts.classLoader() == null ? Flyway.configure() : Flyway.configure(scripts.classLoader());
        configuration.failOnMissingLocations(true);
        scripts.customizer().customize(configuration);
        return configuration;
    }

    private static String line(MigrationInfo one) {
        return one.getVersion() + "|" + one.getDescription() + "|" + one.getScript() + "|" + one.getChecksum();
    }

    /** Says in one line what failed, in which script, where, and what to do. */
    private static String message(FlywayException e, String schema, String where) {
        String undo =
                "after a script that failed outside of a transaction, undo by hand what it did there, and run DELETE FROM "
                        + schema + ".flyway_schema_history WHERE NOT success.";
        if (e instanceof FlywayValidateException) {
            return "The scripts do not fit the history of " + where + ": " + FailureReason.of(e)
                    + ". A script that has run must not be changed: put it back, and add another; " + undo;
        }
        boolean whole = !(e instanceof FlywayMigrateException one) || one.isExecutableInTransaction();
        return "The migration " + script(e) + " failed in " + where + line(e) + ": " + FailureReason.of(e)
                + ". What ran before stays. Correct the script and provision again: it continues there"
                + (whole ? "." : "; but " + undo);
    }

    private static String script(FlywayException e) {
        return e instanceof FlywayMigrateException failed && failed.getMigration() != null
                ? failed.getMigration().getScript()
                : "run";
    }

    private static String line(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof FlywaySqlScriptException script) {
                return ", in the statement at line " + script.getLineNumber();
            }
        }
        return "";
    }
}
