package io.github.shardedid.boot.data;

import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Refuses connections where the application creates {@code ShardedDatabases} without a data source for the global database. */
final class NoGlobalDataSource extends AbstractDataSource {
    @Override
    public Connection getConnection() throws SQLException {
        throw new SQLException(
                "The ShardedDatabases bean has no data source for the global database. Add one with"
                        + " ShardedDatabases.withGlobal, whose connections have the schema of sharded-id.global.schema as their"
                        + " current schema, or define a bean globalDataSource.",
                "08001");
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }
}
