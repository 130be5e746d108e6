package io.github.shardedid.routing.internal;

import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds routed connections that have a sharding key from the start. For one thread at a time.
 *
 * <p>JDBC 4.3 demands the builder; the builders of pools and of PostgreSQL's driver throw an exception. With
 * it, Spring's {@code ShardingKeyDataSourceAdapter} works on top of a routing data source.
 */
public final class RoutedConnectionBuilder implements ConnectionBuilder {
    private final Supplier<? extends Connection> source;
    private @Nullable ShardingKey key;
    /** What was given and is not supported; null if there is nothing. */
    private @Nullable Object refused;

    /**
     * Creates a builder.
     *
     * @param source returns a new routed connection
     */
    public RoutedConnectionBuilder(Supplier<? extends Connection> source) {
        this.source = source;
    }

    @Override
    public ConnectionBuilder user(@Nullable String username) {
        return refusing(username);
    }

    @Override
    public ConnectionBuilder password(@Nullable String password) {
        return refusing(password);
    }

    @Override
    public ConnectionBuilder superShardingKey(@Nullable ShardingKey superShardingKey) {
        return refusing(superShardingKey);
    }

    private ConnectionBuilder refusing(@Nullable Object given) {
        refused = given == null ? refused : given;
        return this;
    }

    @Override
    public ConnectionBuilder shardingKey(@Nullable ShardingKey shardingKey) {
        key = shardingKey;
        return this;
    }

    @Override
    public Connection build() throws SQLException {
        if (refused != null) {
            throw new SQLFeatureNotSupportedException("Each database has its own user: configure it with the database's"
                    + " own data source. There are no super sharding keys: one key names the shard.");
        }
        Connection connection = source.get();
        connection.setShardingKey(key);
        return connection;
    }
}
