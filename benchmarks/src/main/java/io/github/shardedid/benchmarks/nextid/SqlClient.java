package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** A client that prepares a statement once and executes it for each id, in autocommit. */
final class SqlClient implements IdClients.Client {
    private final Connection connection;
    private final PreparedStatement statement;

    SqlClient(Database database, String sql) throws SQLException {
        connection = database.connect();
        statement = connection.prepareStatement(sql);
    }

    @Override
    public long call() throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getObject(1) instanceof UUID uuid ? uuid.getLeastSignificantBits() : row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
