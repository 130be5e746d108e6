package io.github.shardedid.benchmarks.peers;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;

/** Hibernate's tenants, with a schema each: a shard is a tenant, and the thread says which. */
final class SchemaTenants {
    private SchemaTenants() {}

    /** The settings of Hibernate. */
    static Map<String, Object> settings(SamePhotos photos) {
        return Map.of(
                MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER,
                new Connections(photos),
                MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER,
                new Current());
    }

    /** The tenant of the thread. */
    private static final class Current implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            return ShardSchema.nameOf(ShardSchemas.current());
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return false;
        }
    }

    /** A tenant's connections come from the pool of its database, and are given its schema. */
    private static final class Connections implements MultiTenantConnectionProvider<String> {
        private static final long serialVersionUID = 1;

        private final transient SamePhotos photos;
        private final transient Map<String, Integer> shards;

        Connections(SamePhotos photos) {
            this.photos = photos;
            shards = IntStream.range(0, photos.shards())
                    .boxed()
                    .collect(Collectors.toMap(ShardSchema::nameOf, shard -> shard));
        }

        @Override
        public Connection getAnyConnection() throws SQLException {
            return photos.schemaPools().get(0).getConnection();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            int shard = Objects.requireNonNull(shards.get(tenant), tenant);
            return ShardSchemas.use(
                    photos.schemaPools().get(photos.databaseOf(shard)).getConnection(), shard);
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException("Cannot be unwrapped as " + type.getName());
        }
    }
}
