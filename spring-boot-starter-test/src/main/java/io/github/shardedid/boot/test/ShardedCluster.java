package io.github.shardedid.boot.test;

import static java.util.Objects.requireNonNull;

import io.github.shardedid.boot.test.internal.server.TestServer;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardSchema;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The cluster of a test, accessed without the application: SQL in a shard, stopping and starting databases, and assertions on
 * the location of rows. A bean in the application context of each test with {@link AutoConfigureShardedCluster}. Not
 * thread-safe.
 */
public final class ShardedCluster {
    private final BeanFactory beans;
    private final TestDatabases databases;
    private final ClusterCleaner cleaner;

    ShardedCluster(BeanFactory beans, TestDatabases databases) {
        this.beans = beans;
        this.databases = databases;
        this.cleaner = new ClusterCleaner(beans, databases);
    }

    /**
     * The names of the databases.
     *
     * @return {@code pg1}, {@code pg2} and so on
     */
    public List<String> databases() {
        return databases.names();
    }

    /**
     * The number of logical shards.
     *
     * @return 1 or more; they are numbered from 0
     */
    public int shardCount() {
        return cluster().shardCount();
    }

    /**
     * The database that currently owns a shard.
     *
     * @param shard 0 up to the number of shards − 1
     * @return the database's name
     * @throws io.github.shardedid.topology.UnknownShardException if there is no such shard
     */
    public String databaseOf(int shard) {
        return cluster().map().get().databaseOf(shard);
    }

    /**
     * Executes SQL in the schema of a shard, without the application. Changes of open transactions are not visible.
     *
     * @param shard 0 up to the number of shards − 1
     * @return a client that opens a connection for each statement
     */
    public JdbcClient shard(int shard) {
        return client(databaseOf(shard), ShardSchema.nameOf(shard));
    }

    /**
     * Executes SQL in the schema of the global entities, without the application.
     *
     * @return a client that opens a connection for each statement
     * @throws IllegalStateException if the application has no global database
     */
    public JdbcClient global() {
        return new GlobalSchema(beans)
                .find()
                .map(global -> client(global.database(), global.schema()))
                .orElseThrow(() -> new IllegalStateException(
                        "The application has no global entities: sharded-id.global.database is not set."));
    }

    /**
     * Executes SQL in a database, without the application. Tables must be qualified with their schema.
     *
     * @param name {@code pg1} and so on
     * @return a client that opens a connection for each statement
     */
    public JdbcClient database(String name) {
        return client(name, "public");
    }

    private JdbcClient client(String database, String schema) {
        DataSource source = new DriverManagerDataSource(
                databases.url(database) + "?currentSchema=" + schema, TestServer.USER, TestServer.PASSWORD);
        return JdbcClient.create(source);
    }

    /**
     * Stops the server of a database and keeps its data. It is started again after the test method at the latest.
     *
     * @param database {@code pg1} and the like
     */
    public void stop(String database) {
        TestServer server = databases.server(database);
        if (server.isRunning()) {
            server.stop();
        }
    }

    /**
     * Starts the server of a database again, and waits until the application's pools can connect. Does nothing if it is running.
     *
     * @param database {@code pg1} and the like
     */
    public void start(String database) {
        TestServer server = databases.server(database);
        if (!server.isRunning()) {
            server.start();
            ApplicationPools.awaitReach(beans, database);
        }
    }

    /**
     * Returns whether the server of a database is running.
     *
     * @param database {@code pg1} and the like
     * @return false after {@link #stop(String)}
     */
    public boolean isRunning(String database) {
        return databases.server(database).isRunning();
    }

    void startStopped() {
        databases.startStopped().forEach(name -> ApplicationPools.awaitReach(beans, name));
    }

    /**
     * Deletes the rows of all sharded and global tables. By default, this happens before each test method.
     *
     * @param keep names of tables whose rows are kept
     */
    public void clean(String... keep) {
        cleaner.clean(List.of(keep));
    }

    /**
     * An id, for assertions: {@code assertThat(cluster.id(photo.getId())).isInShard(5)}.
     *
     * @param id an id of a sharded entity
     * @return the id
     */
    public IdInCluster id(long id) {
        return new IdInCluster(id, cluster(), EntityTables.of(beans));
    }

    /**
     * The row of an entity, for assertions: {@code assertThat(cluster.row(photo)).isStoredInTheShardItsIdNames()}. Within a
     * transaction of the test, its changes are flushed and visible.
     *
     * @param entity an entity that has an id, sharded or global
     * @return the row, which each assertion searches for
     * @throws IllegalArgumentException if the object is no entity of the application, or has no id
     */
    public RowInCluster row(Object entity) {
        EntityTables tables = EntityTables.of(beans);
        return row(tables.typeOf(entity), tables.idOf(entity));
    }

    /**
     * The row of an entity, for assertions.
     *
     * @param entity the entity's class, sharded or global
     * @param id its id
     * @return the row, which each assertion searches for
     * @throws IllegalArgumentException if the class is no entity of the application
     */
    public RowInCluster row(Class<?> entity, Object id) {
        EntityTables tables = EntityTables.of(beans);
        EntityTables.Table table = tables.tableOf(entity);
        RowSearch search = new RowSearch(beans, databases, table, requireNonNull(id, "id"));
        return new RowInCluster(table, id, cluster(), tables, search);
    }

    private Cluster cluster() {
        return beans.getBean(Cluster.class);
    }
}
