package io.github.shardedid.hibernate.internal.environment;

import io.github.shardedid.routing.RoutingDataSource;
import java.sql.Connection;
import java.util.List;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.jdbc.env.spi.SQLStateType;
import org.hibernate.tool.schema.extract.spi.SequenceInformation;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL's driver says of any of its databases. Where one of them is, and what it is called, it does not: Hibernate works with
 * all of them. The sequences are read when Hibernate compares them with the mappings.
 */
record PostgresFacts(JdbcEnvironment environment, MappedSequences sequences) implements ExtractedDatabaseMetaData {
    @Override
    public JdbcEnvironment getJdbcEnvironment() {
        return environment;
    }

    @Override
    public String getDatabaseProductName() {
        return "PostgreSQL";
    }

    @Override
    public String getDatabaseProductVersion() {
        return environment.getDialect().getVersion().toString();
    }

    @Override
    public boolean supportsSchemas() {
        return true;
    }

    @Override
    public boolean supportsCatalogs() {
        return false;
    }

    @Override
    public @Nullable String getConnectionCatalogName() {
        return null;
    }

    @Override
    public String getConnectionSchemaName() {
        return RoutingDataSource.SCHEMA_PLACEHOLDER;
    }

    @Override
    public boolean supportsNamedParameters() {
        return false;
    }

    @Override
    public boolean supportsRefCursors() {
        return true;
    }

    @Override
    public boolean supportsScrollableResults() {
        return true;
    }

    @Override
    public boolean supportsGetGeneratedKeys() {
        return true;
    }

    @Override
    public boolean supportsBatchUpdates() {
        return true;
    }

    @Override
    public boolean supportsDataDefinitionInTransaction() {
        return true;
    }

    @Override
    public boolean doesDataDefinitionCauseTransactionCommit() {
        return false;
    }

    @Override
    public SQLStateType getSqlStateType() {
        return SQLStateType.SQL99;
    }

    @Override
    public @Nullable String getUrl() {
        return null;
    }

    @Override
    public String getDriver() {
        return ResolvedDriver.NAME;
    }

    @Override
    public int getTransactionIsolation() {
        return getDefaultTransactionIsolation();
    }

    @Override
    public int getDefaultTransactionIsolation() {
        return Connection.TRANSACTION_READ_COMMITTED;
    }

    @Override
    public int getDefaultFetchSize() {
        return 0;
    }

    @Override
    public List<SequenceInformation> getSequenceInformationList() {
        return sequences.list();
    }
}
