package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;

/**
 * Customizes the connection pools of databases: another {@code javax.sql.DataSource}, driver or URL, such as a wrapper driver of a
 * cloud, or a source of credentials. There may be several such beans. Called for each pool before it is created: those of the
 * application, of the shard map, of provisioning, moves and commands, and of read replicas.
 */
@FunctionalInterface
public interface ShardedPoolCustomizer {
    /**
     * Customizes a pool.
     *
     * @param database a name under {@code sharded-id.databases}
     * @param pool the configured settings. With {@link HikariConfig#setDataSource} no URL needs to be configured; the data source
     *     must then connect as this pool is to: to a replica, or past a pooler. The name of the pool tells which one it is
     */
    void customize(String database, HikariConfig pool);
}
