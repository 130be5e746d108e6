package io.github.shardedid.hibernate.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.QualifiedSequenceName;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectFactory;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentImpl;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentInitiator;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.QualifiedObjectNameFormatter;
import org.hibernate.engine.jdbc.env.spi.SQLStateType;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.tool.schema.extract.internal.SequenceInformationImpl;
import org.hibernate.tool.schema.extract.spi.SequenceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates Hibernate's environment of databases that it has not connected to: what PostgreSQL's driver says of any
 * of them.
 *
 * <p>Hibernate would connect at the start, and there is no database that has to be up: an application starts while
 * any of them is down. Without a connection, Hibernate assumes a minimum, and would return no generated keys and
 * scroll no results. So the answers of the driver are given here. They hold for all versions of PostgreSQL that are
 * supported.
 */
public final class PostgresEnvironments extends JdbcEnvironmentInitiator {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresEnvironments.class);
    // As the driver names itself, by which Hibernate recognises it.
    private static final String DRIVER = "PostgreSQL JDBC Driver";
    private static final String SEQUENCES = "SELECT sequencename, start_value, min_value, max_value, increment_by"
            + " FROM pg_catalog.pg_sequences WHERE schemaname = ?";

    private final RoutingDataSource source;

    /** For a session factory whose data source routes. */
    public PostgresEnvironments(RoutingDataSource source) {
        this.source = source;
    }

    /**
     * Creates the environment. Hibernate calls this method if it must not read metadata by a connection, as
     * {@link ShardingContributor} sets.
     */
    @Override
    protected JdbcEnvironmentImpl getJdbcEnvironmentWithExplicitConfiguration(
            Map<String, Object> settings,
            ServiceRegistryImplementor registry,
            DialectFactory dialects,
            DialectResolutionInfo given) {
        DialectResolutionInfo info =
                Overridden.of(DialectResolutionInfo.class, given, (method, arguments, call) -> DRIVER, "getDriverName");
        return new Environment(registry, dialects.buildDialect(settings, () -> info), source);
    }

    /**
     * Hibernate's environment, with facts instead of the assumptions that Hibernate makes without a connection,
     * and with its own spelling of schemas.
     */
    private static final class Environment extends JdbcEnvironmentImpl {
        private final RoutingDataSource source;
        private final ExtractedDatabaseMetaData facts;
        private final QualifiedObjectNameFormatter names;
        /** The sequences of the global database; null until Hibernate asks for them. Guarded by this. */
        private @Nullable List<SequenceInformation> sequences;

        @SuppressWarnings("deprecation") // the same
        Environment(ServiceRegistryImplementor registry, Dialect dialect, RoutingDataSource source) {
            super(registry, dialect);
            this.source = source;
            this.facts = Overridden.of(
                    ExtractedDatabaseMetaData.class,
                    super.getExtractedDatabaseMetaData(),
                    (method, arguments, call) -> fact(method.getName(), call.on(super.getExtractedDatabaseMetaData())));
            this.names = Overridden.of(
                    QualifiedObjectNameFormatter.class,
                    super.getQualifiedObjectNameFormatter(),
                    (method, arguments, call) ->
                            spelled(String.valueOf(call.on(super.getQualifiedObjectNameFormatter()))));
        }

        @Override
        @SuppressWarnings("deprecation") // what Hibernate itself writes names with
        public QualifiedObjectNameFormatter getQualifiedObjectNameFormatter() {
            return names;
        }

        @Override
        public ExtractedDatabaseMetaData getExtractedDatabaseMetaData() {
            return facts;
        }

        /**
         * Returns what the driver would say to a method of the metadata.
         *
         * @param unknown what Hibernate assumes, which remains for all other methods
         */
        private @Nullable Object fact(String method, @Nullable Object unknown) {
            return switch (method) {
                case "getJdbcEnvironment" -> this;
                case "getDatabaseProductName" -> "PostgreSQL";
                case "getDatabaseProductVersion" -> getDialect().getVersion().toString();
                case "getConnectionSchemaName" -> RoutingDataSource.SCHEMA_PLACEHOLDER;
                case "getDriver" -> DRIVER;
                case "getSqlStateType" -> SQLStateType.SQL99;
                case "getTransactionIsolation", "getDefaultTransactionIsolation" ->
                    Connection.TRANSACTION_READ_COMMITTED;
                case "getDefaultFetchSize" -> 0;
                case "getSequenceInformationList" -> sequences();
                case "supportsCatalogs" -> false;
                case "supportsRefCursors",
                        "supportsScrollableResults",
                        "supportsGetGeneratedKeys",
                        "supportsDataDefinitionInTransaction" -> true;
                default -> unknown;
            };
        }

        /**
         * Spells the placeholder of a schema otherwise in the texts that Hibernate generates than in those of the application, in which
         * {@code {h-schema}} becomes the usual one: so the connection knows the former, in which all tables have their schema.
         */
        private static String spelled(String name) {
            int point = name.indexOf('.');
            String schema = point < 0 ? "" : name.substring(0, point);
            return schema.equals(RoutingDataSource.SCHEMA_PLACEHOLDER)
                            || schema.equals(RoutingDataSource.GLOBAL_PLACEHOLDER)
                            || schema.equals(RoutingDataSource.REPLICATED_PLACEHOLDER)
                    ? RoutingControl.generated(schema) + name.substring(point)
                    : name;
        }

        /**
         * The sequences of the global database, read when Hibernate compares their increments with the
         * generators of global entities. None if it cannot be reached. A difference would let Hibernate generate
         * ids twice, but a database that is down must not keep the application from starting. The map says which
         * databases are unreachable, so that no connection is waited for.
         */
        private synchronized List<SequenceInformation> sequences() {
            List<SequenceInformation> known = sequences;
            if (known == null) {
                GlobalDatabase global = source.global();
                known = global == null
                                || source.cluster()
                                        .map()
                                        .get()
                                        .unreachableDatabases()
                                        .contains(global.database())
                        ? List.of()
                        : read(global.schema());
                sequences = known;
            }
            return known;
        }

        private List<SequenceInformation> read(String schema) {
            List<SequenceInformation> found = new ArrayList<>();
            try (ShardContext.Scope scope = ShardContext.open(Target.global());
                    Connection connection = source.getConnection();
                    PreparedStatement query = connection.prepareStatement(SEQUENCES)) {
                query.setString(1, schema);
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        found.add(new SequenceInformationImpl(
                                new QualifiedSequenceName(null, null, Identifier.toIdentifier(row.getString(1))),
                                row.getLong(2),
                                row.getLong(3),
                                row.getLong(4),
                                row.getLong(5)));
                    }
                }
            } catch (SQLException | ShardedIdException e) {
                LOG.warn("The increments of the sequences of {} could not be checked: {}", schema, e.getMessage());
            }
            return found;
        }
    }
}
