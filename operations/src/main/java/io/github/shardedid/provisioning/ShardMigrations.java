package io.github.shardedid.provisioning;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.provisioning.internal.migration.Fingerprint;
import io.github.shardedid.provisioning.internal.migration.FlywaySettings;
import io.github.shardedid.provisioning.internal.migration.FunctionBinding;
import io.github.shardedid.provisioning.internal.migration.MigrationFailure;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/**
 * The application's Flyway scripts, run in the schema of every shard, or others in that of the global entities.
 * Scripts name no schema: {@code photo} is the table of the shard, and {@code DEFAULT next_id('photo_id_seq')} calls
 * the shard's generator. Each shard has its own {@code flyway_schema_history}.
 *
 * <p>A fingerprint of all scripts identifies shards that are up to date without running Flyway. Immutable and safe
 * for use by several threads.
 */
public final class ShardMigrations {
    private static final ShardMigrations NONE = new ShardMigrations(
            new FlywaySettings(List.of(), null, configuration -> {}, null, CommonSchemas.AUTOMATIC, false));

    private final FlywaySettings settings;

    private ShardMigrations(FlywaySettings settings) {
        this.settings = settings;
    }

    /**
     * No migrations: the application fills the schemas by other means.
     *
     * @return migrations that do nothing
     */
    public static ShardMigrations none() {
        return NONE;
    }

    /**
     * Scripts at locations, found by the current thread's context class loader.
     *
     * @param flywayLocations as Flyway writes them, for example {@code classpath:db/shard}; at least one
     * @return migrations of those scripts
     */
    public static ShardMigrations at(String... flywayLocations) {
        return at(null, List.of(flywayLocations));
    }

    /**
     * Scripts at locations, found by a class loader.
     *
     * @param classLoader finds {@code classpath:} locations
     * @param flywayLocations as Flyway writes them, for example {@code classpath:db/shard}; at least one
     * @return migrations of those scripts
     */
    public static ShardMigrations at(ClassLoader classLoader, String... flywayLocations) {
        return at(classLoader, List.of(flywayLocations));
    }

    private static ShardMigrations at(@Nullable ClassLoader classLoader, List<String> locations) {
        return new ShardMigrations(
                new FlywaySettings(locations, classLoader, configuration -> {}, null, CommonSchemas.AUTOMATIC, false));
    }

    /**
     * The same scripts with the application's settings of Flyway.
     *
     * @param customizer replaces one that was given before
     * @return new migrations
     */
    public ShardMigrations withFlyway(FlywayCustomizer customizer) {
        return new ShardMigrations(settings.with(customizer));
    }

    /**
     * The same scripts for schemas that had tables before Flyway was used. A schema that has tables and no history
     * starts at this version: scripts up to it do not run there. In a new shard all scripts run.
     *
     * @param version of the last script whose work is there already
     * @return new migrations
     */
    public ShardMigrations withBaseline(String version) {
        return new ShardMigrations(settings.withBaseline(version));
    }

    /**
     * The same scripts with other common schemas, visible beside the one that they migrate. Functions that they create get a search path of
     * that schema and these.
     *
     * @param others schemas that are part of each search path
     * @return new migrations
     */
    public ShardMigrations withCommonSchemas(CommonSchemas others) {
        return new ShardMigrations(settings.withCommonSchemas(others));
    }

    /**
     * The schemas that are visible beside the one that is migrated.
     *
     * @return {@link CommonSchemas#AUTOMATIC} unless others were given
     */
    public CommonSchemas commonSchemas() {
        return settings.commonSchemas();
    }

    /**
     * The same scripts with or without replay, which is off by default. With it Flyway migrates one of the shards with the same
     * history; the statements that it has sent are sent to the others, with the name of the schema replaced, in one transaction per
     * shard. This is four to eight times faster. It is an imitation of Flyway: use it for many shards and scripts of plain SQL, and
     * compare the shards afterwards ({@link Provisioner#drift()}). Flyway itself migrates each shard if a script is not run in a
     * transaction or names its schema, and if there are callbacks or Java migrations.
     *
     * @param wanted whether to replay
     * @return new migrations
     */
    public ShardMigrations withReplay(boolean wanted) {
        return new ShardMigrations(settings.withReplay(wanted));
    }

    /**
     * Whether statements are replayed.
     *
     * @return true if it is wanted, and the settings name neither callbacks nor Java migrations
     */
    public boolean replays() {
        return settings.replays();
    }

    /**
     * Identifies this set of scripts: a hash of their versions, names and checksums. Changes nothing in the database.
     *
     * @param connection to any database of the cluster, which Flyway needs to read its scripts; in autocommit mode
     * @return 64 hexadecimal digits, or null for {@link #none()}
     * @throws ShardMigrationException if the scripts cannot be read, or one has version 0
     * @throws SQLException if the connection fails
     */
    public @Nullable String fingerprint(Connection connection) throws SQLException {
        if (settings.locations().isEmpty()) {
            return null;
        }
        MigrationInfo[] all = keepingSettings(connection, () -> {
            try {
                return settings.inspecting(connection, "sharded_id").info().all();
            } catch (FlywayException e) {
                throw new ShardMigrationException(
                        "The migrations at " + settings.locations() + " cannot be read: " + FailureReason.of(e)
                                + ". Nothing was changed.",
                        e);
            }
        });
        Arrays.stream(all).forEach(ShardMigrations::checkVersion);
        return Fingerprint.of(all);
    }

    /**
     * Whether Flyway would find nothing to do and nothing wrong in a schema, in which further scripts of a newer version of the
     * application may have run. Changes nothing in the database.
     *
     * @param connection to the schema's database, in autocommit mode
     * @param schema a shard's or that of the global entities
     * @return false also if Flyway fails
     * @throws SQLException if the connection fails
     */
    public boolean isComplete(Connection connection, String schema) throws SQLException {
        return keepingSettings(connection, () -> {
            try {
                Flyway flyway = settings.inspecting(connection, schema);
                return flyway.info().pending().length == 0
                        && (!flyway.getConfiguration().isValidateOnMigrate()
                                || flyway.validateWithResult().validationSuccessful);
            } catch (FlywayException e) {
                return false; // the migration reports it
            }
        });
    }

    /**
     * Whether scripts have run in a schema that are newer than all of these. Changes nothing in the database.
     *
     * @param connection to the schema's database, in autocommit mode
     * @param schema a shard's or that of the global entities
     * @return false for {@link #none()}
     * @throws SQLException if the connection fails
     */
    public boolean isOutdated(Connection connection, String schema) throws SQLException {
        return !settings.locations().isEmpty()
                && keepingSettings(connection, () -> Arrays.stream(
                                settings.inspecting(connection, schema).info().applied())
                        .anyMatch(one -> one.getState() == MigrationState.FUTURE_SUCCESS));
    }

    /**
     * The fingerprint of a {@linkplain #isComplete complete} schema. Changes nothing in the database.
     *
     * @param connection to the schema's database, in autocommit mode
     * @param schema a shard's or that of the global entities
     * @param fingerprint of these scripts
     * @return the fingerprint, or another one if scripts have run there that are not among these
     * @throws ShardMigrationException if Flyway fails
     * @throws SQLException if the connection fails
     */
    public String standing(Connection connection, String schema, String fingerprint) throws SQLException {
        return keepingSettings(connection, () -> {
            try {
                return Fingerprint.standing(
                        fingerprint, settings.inspecting(connection, schema).info().all());
            } catch (FlywayException e) {
                throw new ShardMigrationException(
                        "The history of scripts in schema " + schema + " cannot be read: " + FailureReason.of(e)
                                + ". Provision again.",
                        e);
            }
        });
    }

    /**
     * Runs what has not run yet in a shard's schema, which must exist. Leaves the connection's settings as they were.
     *
     * @param connection to the shard's database, in autocommit mode
     * @param database the database's name, for messages
     * @param shard the logical shard
     * @throws ShardMigrationException if a script fails; those before it stay
     * @throws SQLException if the connection fails
     */
    public void migrate(Connection connection, String database, int shard) throws SQLException {
        migrate(connection, ShardSchema.nameOf(shard), "shard " + shard + " of database " + database);
    }

    /**
     * Runs what has not run yet in the schema of the global entities, which must exist. Leaves the connection's settings as
     * they were.
     *
     * @param connection to the global database, in autocommit mode
     * @param global the schema
     * @throws ShardMigrationException if a script fails; those before it stay
     * @throws SQLException if the connection fails
     */
    public void migrate(Connection connection, GlobalDatabase global) throws SQLException {
        migrate(
                connection,
                global.schema(),
                "the global schema " + global.schema() + " of database " + global.database());
    }

    private void migrate(Connection connection, String schema, String where) throws SQLException {
        if (settings.locations().isEmpty()) {
            return;
        }
        keepingSettings(connection, () -> {
            try {
                return settings.flyway(connection, schema).migrate();
            } catch (FlywayException e) {
                throw new ShardMigrationException(MigrationFailure.message(e, where), e);
            }
        });
        FunctionBinding.bind(connection, schema, settings.commonSchemas());
    }

    /**
     * Repairs the history of scripts in a shard's schema, as Flyway does: rows of scripts that failed outside of a transaction are
     * removed, and checksums and descriptions are those of the scripts of today. What such a script left behind must have
     * been removed by hand, or the script must tolerate it.
     *
     * @param connection to the shard's database, in autocommit mode
     * @param database the database's name, for messages
     * @param shard the logical shard
     * @throws ShardMigrationException if Flyway cannot do it
     * @throws SQLException if the connection fails
     */
    public void repair(Connection connection, String database, int shard) throws SQLException {
        if (settings.locations().isEmpty()) {
            return;
        }
        keepingSettings(connection, () -> {
            try {
                return settings.flyway(connection, ShardSchema.nameOf(shard)).repair();
            } catch (FlywayException e) {
                throw new ShardMigrationException(
                        "The history of scripts in shard " + shard + " of database " + database
                                + " cannot be repaired: " + FailureReason.of(e)
                                + ". Remove the cause and repair again.",
                        e);
            }
        });
    }

    /** The wrappers make the schema of a shard non-empty for Flyway, which then needs a baseline: below every version except 0. */
    private static void checkVersion(MigrationInfo migration) {
        MigrationVersion version = migration.getVersion();
        if (version != null && version.compareTo(MigrationVersion.fromVersion("0")) <= 0) {
            throw new ShardMigrationException(
                    "The migration " + migration.getScript() + " has version 0, below which"
                            + " the schema of a shard begins. Number it from 1.",
                    new IllegalArgumentException(migration.getScript()));
        }
    }

    private <T> T keepingSettings(Connection connection, SearchPath.Work<T> flyway) throws SQLException {
        return SearchPath.keeping(connection, settings.commonSchemas(), flyway);
    }
}
