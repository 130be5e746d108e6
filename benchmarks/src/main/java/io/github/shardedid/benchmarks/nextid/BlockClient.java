package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.generator.IdSource;
import java.sql.Connection;
import java.sql.SQLException;

/** A client that takes ids of one shard from blocks, as entities do with the strategy {@code DATABASE}. */
final class BlockClient implements IdClients.Client {
    static final int SHARD = 5;

    private final IdSource source;
    private final Connection connection;

    /** IdClients of one JVM share the source. */
    BlockClient(IdSource source, ShardedDatabases databases) throws SQLException {
        this.source = source;
        this.connection = databases.dataSource().getConnection();
    }

    @Override
    public long call() throws SQLException {
        return source.next(SHARD, "photo_id_seq", connection);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
