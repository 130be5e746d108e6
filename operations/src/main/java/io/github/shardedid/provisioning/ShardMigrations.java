package io.github.shardedid.provisioning;

import io.github.shardedid.provisioning.internal.FlywayMigrations;
import io.github.shardedid.provisioning.internal.MigrationTool;
import io.github.shardedid.provisioning.internal.SchemaMigrations;
import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The application's Flyway scripts, or its Liquibase change log, run in the schema of every shard, or others in that of the global entities. Scripts name no schema:
 * {@code photo} is the table of the shard, and {@code DEFAULT next_id('photo_id_seq')} calls the shard's generator. Each shard has its
 * own {@code flyway_schema_history} or {@code databasechangelog}.
 *
 * <p>A fingerprint of all scripts identifies shards that are up to date without running the tool. Immutable and safe for use by several
 * threads.
 *
 * @param locations of the scripts, as Flyway writes them, for example {@code classpath:db/shard}; empty if there are none
 * @param classLoader finds {@code classpath:} locations; null for the current thread's context class loader
 * @param customizer the application's settings of Flyway
 * @param commonSchemas the schemas that are visible beside the one that is migrated
 * @param replay see {@link #withReplay}
 * @param changeLog of Liquibase, instead of scripts; null if there is none
 */
public record ShardMigrations(
        List<String> locations,
        @Nullable ClassLoader classLoader,
        FlywayCustomizer customizer,
        CommonSchemas commonSchemas,
        boolean replay,
        @Nullable ChangeLog changeLog) {
    private static final FlywayCustomizer DEFAULTS = configuration -> {};
    private static final ShardMigrations NONE = of(null, List.of(), null);

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are scripts or settings of Flyway beside a change log
     * @throws IllegalStateException if there is a change log, but no Liquibase on the class path
     */
    public ShardMigrations {
        locations = List.copyOf(locations);
        if (changeLog != null) {
            if (!locations.isEmpty() || customizer != DEFAULTS) {
                throw new IllegalArgumentException("Scripts and a customizer are Flyway's, and cannot be combined with"
                        + " the Liquibase change log " + changeLog.location() + ". Remove one of both.");
            }
            MigrationTool.migrations(changeLog, classLoader, commonSchemas); // fails without Liquibase
        }
    }

    /**
     * Returns no migrations: the application fills the schemas by other means.
     *
     * @return migrations that do nothing
     */
    public static ShardMigrations none() {
        return NONE;
    }

    /**
     * Returns the scripts at locations, found by the current thread's context class loader.
     *
     * @param flywayLocations as Flyway writes them, for example {@code classpath:db/shard}; at least one
     * @return migrations of those scripts
     */
    public static ShardMigrations at(String... flywayLocations) {
        return of(null, List.of(flywayLocations), null);
    }

    /**
     * Returns the scripts at locations, found by a class loader.
     *
     * @param classLoader finds {@code classpath:} locations
     * @param flywayLocations as Flyway writes them, for example {@code classpath:db/shard}; at least one
     * @return migrations of those scripts
     */
    public static ShardMigrations at(ClassLoader classLoader, String... flywayLocations) {
        return of(classLoader, List.of(flywayLocations), null);
    }

    private static ShardMigrations of(
            @Nullable ClassLoader classLoader, List<String> locations, @Nullable ChangeLog changeLog) {
        return new ShardMigrations(locations, classLoader, DEFAULTS, CommonSchemas.AUTOMATIC, true, changeLog);
    }

    /**
     * Returns the migrations of a Liquibase change log, found by the current thread's context class loader.
     *
     * @param changeLog instead of scripts
     * @return migrations of that change log
     * @throws IllegalStateException if Liquibase is not on the class path
     */
    public static ShardMigrations of(ChangeLog changeLog) {
        return of(null, List.of(), changeLog);
    }

    /**
     * Returns the migrations of a Liquibase change log, found by a class loader.
     *
     * @param classLoader finds the files of the change log
     * @param changeLog instead of scripts
     * @return migrations of that change log
     * @throws IllegalStateException if Liquibase is not on the class path
     */
    public static ShardMigrations of(ClassLoader classLoader, ChangeLog changeLog) {
        return of(classLoader, List.of(), changeLog);
    }

    /**
     * Returns the same scripts with the application's settings of Flyway.
     *
     * @param other replaces one that was given before
     * @return new migrations
     */
    public ShardMigrations withFlyway(FlywayCustomizer other) {
        return new ShardMigrations(locations, classLoader, other, commonSchemas, replay, changeLog);
    }

    /**
     * Returns the same scripts with other common schemas. Functions that scripts create get a search path of their own schema and these.
     *
     * @param others schemas that are part of each search path
     * @return new migrations
     */
    public ShardMigrations withCommonSchemas(CommonSchemas others) {
        return new ShardMigrations(locations, classLoader, customizer, others, replay, changeLog);
    }

    /**
     * Returns the same scripts with or without replay, which is on by default: Flyway migrates one of the shards with the same
     * history; the statements that it has sent are sent to the others, with the name of the schema replaced, in one transaction per
     * shard. This is four to eight times faster. Flyway itself migrates each shard if a script is not run in a
     * transaction, names its schema, or changes settings, and if there are callbacks or Java migrations.
     *
     * @param wanted whether to replay
     * @return new migrations
     */
    public ShardMigrations withReplay(boolean wanted) {
        return new ShardMigrations(locations, classLoader, customizer, commonSchemas, wanted, changeLog);
    }

    /**
     * Compares the scripts that have run in a schema with these. Changes nothing in the database.
     *
     * @param connection to the schema's database, in autocommit mode
     * @param schema a shard's or that of the global entities
     * @return no difference for {@link #none()}
     * @throws SQLException if the connection fails
     */
    public ScriptComparison compare(Connection connection, String schema) throws SQLException {
        return locations.isEmpty() && changeLog == null
                ? ScriptComparison.SAME
                : runner().history(connection, schema).comparison();
    }

    /**
     * Runs what has not run yet in the schema of a shard, which must exist. Restores the settings of the connection.
     *
     * @param connection to the shard's database, in autocommit mode
     * @param database the database's name, for messages
     * @param shard the logical shard
     * @throws ProvisioningException if a script fails; those before it stay
     * @throws SQLException if the connection fails
     */
    public void migrate(Connection connection, String database, int shard) throws SQLException {
        runner().migrate(connection, ShardSchema.nameOf(shard), "shard " + shard + " of database " + database);
    }

    /** Runs these scripts, or this change log. */
    SchemaMigrations runner() {
        return changeLog == null
                ? new FlywayMigrations(this)
                : MigrationTool.migrations(changeLog, classLoader, commonSchemas);
    }
}
