package io.github.shardedid.benchmarks.scale;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The same statements by the driver alone, over one connection for each database, with statements that are never closed: what
 * servers and driver take for many shards, whoever calls them. For one thread.
 */
final class DriverAlone implements AutoCloseable {
    private final Connection[] connections;
    private final int shards;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    DriverAlone(int shards, Database... databases) throws SQLException {
        this.shards = shards;
        connections = new Connection[databases.length];
        for (int i = 0; i < databases.length; i++) {
            connections[i] = databases[i].connect();
        }
    }

    void find(int shard, long id) throws SQLException {
        PreparedStatement find = statement(shard, "SELECT user_id, caption FROM %s.photo WHERE id = ?");
        find.setLong(1, id);
        try (ResultSet row = find.executeQuery()) {
            row.next();
            row.getString(2);
        }
    }

    /** Saves a row of a shard that has not been written to for a second: its id, its INSERT and the COMMIT. */
    void save(int shard) throws SQLException {
        Connection connection = connection(shard);
        connection.setAutoCommit(false);
        PreparedStatement next = statement(shard, "SELECT %1$s.next_id('%1$s.photo_id_seq')");
        PreparedStatement insert = statement(shard, "INSERT INTO %s.photo (id, user_id, caption) VALUES (?, ?, ?)");
        try (ResultSet id = next.executeQuery()) {
            id.next();
            insert.setLong(1, id.getLong(1));
        }
        insert.setLong(2, shard);
        insert.setString(3, "saved alone");
        insert.executeUpdate();
        connection.commit();
        connection.setAutoCommit(true);
    }

    private Connection connection(int shard) {
        return connections[shard * connections.length / shards];
    }

    private PreparedStatement statement(int shard, String sql) throws SQLException {
        String own = String.format(sql, ShardSchema.nameOf(shard));
        PreparedStatement known = statements.get(own);
        if (known == null) {
            known = connection(shard).prepareStatement(own);
            statements.put(own, known);
        }
        return known;
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
