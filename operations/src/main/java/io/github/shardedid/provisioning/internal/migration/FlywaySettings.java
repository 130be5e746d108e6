package io.github.shardedid.provisioning.internal.migration;

import io.github.shardedid.provisioning.FlywayCustomizer;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Flyway for the schema of a shard.
 *
 * @param locations of the scripts
 * @param classLoader finds them, or null for the thread's
 * @param customizer the application's own settings
 * @param baseline the version at which a schema begins that has tables but no history; null: below all scripts
 * @param commonSchemas the schemas visible beside the one that is migrated
 * @param replay whether shards with the same history get the statements that Flyway has sent to the first of them
 */
public record FlywaySettings(
        List<String> locations,
        @Nullable ClassLoader classLoader,
        FlywayCustomizer customizer,
        @Nullable String baseline,
        CommonSchemas commonSchemas,
        boolean replay) {
    private static final String FILLED = "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace n"
            + " JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass::pg_catalog.oid"
            + " AND d.refobjid = n.oid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid"
            + " JOIN pg_catalog.pg_class c ON c.oid = d.objid"
            + " WHERE n.nspname = cast(? AS pg_catalog.name) AND c.relname <> 'sharded_id_lease')";

    /** The same with other settings of the application. */
    public FlywaySettings with(FlywayCustomizer other) {
        return new FlywaySettings(locations, classLoader, other, baseline, commonSchemas, replay);
    }

    /** The same with another baseline. */
    public FlywaySettings withBaseline(String version) {
        return new FlywaySettings(locations, classLoader, customizer, version, commonSchemas, replay);
    }

    /** The same with other common schemas. */
    public FlywaySettings withCommonSchemas(CommonSchemas others) {
        return new FlywaySettings(locations, classLoader, customizer, baseline, others, replay);
    }

    /** The same with or without replay. */
    public FlywaySettings withReplay(boolean wanted) {
        return new FlywaySettings(locations, classLoader, customizer, baseline, commonSchemas, wanted);
    }

    /** Whether statements may be replayed: not if Java code of the application is called in each shard. */
    public boolean replays() {
        if (!replay) {
            return false;
        }
        FluentConfiguration configuration = customized();
        return configuration.getCallbacks().length == 0 && configuration.getJavaMigrations().length == 0;
    }

    /** Flyway for one schema, on this connection alone. */
    public Flyway flyway(Connection connection, String schema) {
        return flyway(customized(), connection, schema);
    }

    /** The same for inspection only, without callbacks. */
    public Flyway inspecting(Connection connection, String schema) {
        return flyway(customized().callbacks(new Callback[0]).skipDefaultCallbacks(true), connection, schema);
    }

    private Flyway flyway(FluentConfiguration customized, Connection connection, String schema) {
        boolean begun = baseline != null && isFilled(connection, schema);
        return customized
                .configuration(Map.of(
                        // The lock is the session's, because a transaction's would end with the first script on one
                        // connection.
                        "flyway.postgresql.transactional.lock", "false"))
                .dataSource(new LentConnection(connection))
                .locations(locations.toArray(String[]::new))
                .schemas(schema)
                .defaultSchema(schema)
                .table("flyway_schema_history")
                .createSchemas(false)
                .baselineOnMigrate(true)
                .baselineVersion(begun ? baseline : "0")
                .baselineDescription(begun ? "Filled before" : "Sharded id wrappers")
                .load();
    }

    private FluentConfiguration customized() {
        FluentConfiguration configuration = classLoader == null ? Flyway.configure() : Flyway.configure(classLoader);
        configuration.failOnMissingLocations(true);
        customizer.customize(configuration);
        return configuration;
    }

    private static boolean isFilled(Connection connection, String schema) {
        try (PreparedStatement query = connection.prepareStatement(FILLED)) {
            query.setString(1, schema);
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        } catch (SQLException e) {
            throw new FlywayException("Whether schema " + schema + " has tables cannot be seen", e);
        }
    }
}
