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
    /** True if a user or a password was given, which {@link #build} refuses: each database has its own. */
    private boolean ofAUser;

    private @Nullable ShardingKey key;
    private @Nullable ShardingKey superKey;

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
        ofAUser |= username != null;
        return this;
    }

    @Override
    public ConnectionBuilder password(@Nullable String password) {
        ofAUser |= password != null;
        return this;
    }

    @Override
    public ConnectionBuilder shardingKey(@Nullable ShardingKey shardingKey) {
        key = shardingKey;
        return this;
    }

    @Override
    public ConnectionBuilder superShardingKey(@Nullable ShardingKey superShardingKey) {
        superKey = superShardingKey;
        return this;
    }

    @Override
    public Connection build() throws SQLException {
        if (ofAUser) {
            throw new SQLFeatureNotSupportedException(
                    "Each database has its own user: configure it with the database's own data source.");
        }
        RoutedShardingKey.requireNoSuperKey(superKey);
        RoutedShardingKey checked = key == null ? null : RoutedShardingKey.of(key);
        Connection connection = source.get();
        if (checked != null) {
            connection.setShardingKey(checked);
        }
        return connection;
    }
}
