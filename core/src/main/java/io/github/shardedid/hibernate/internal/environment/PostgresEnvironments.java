package io.github.shardedid.hibernate.internal.environment;

import io.github.shardedid.routing.RoutingDataSource;
import java.util.Map;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectFactory;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentImpl;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentInitiator;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.QualifiedObjectNameFormatter;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/** Creates Hibernate's environment of databases that it has not connected to. */
public final class PostgresEnvironments extends JdbcEnvironmentInitiator {
    private final RoutingDataSource source;

    /** For a session factory whose data source routes. */
    public PostgresEnvironments(RoutingDataSource source) {
        this.source = source;
    }

    @Override
    protected JdbcEnvironmentImpl getJdbcEnvironmentWithExplicitConfiguration(
            Map<String, Object> settings,
            ServiceRegistryImplementor registry,
            DialectFactory dialects,
            DialectResolutionInfo given) {
        return new Environment(registry, dialects.buildDialect(settings, () -> new ResolvedDriver(given)), source);
    }

    private static final class Environment extends JdbcEnvironmentImpl {
        private final PostgresFacts facts;
        private final QualifiedObjectNameFormatter names;

        @SuppressWarnings("deprecation") // the same
        Environment(ServiceRegistryImplementor registry, Dialect dialect, RoutingDataSource source) {
            super(registry, dialect);
            this.facts = new PostgresFacts(this, new MappedSequences(source));
            this.names = new GeneratedSchemas(super.getQualifiedObjectNameFormatter());
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
    }
}
