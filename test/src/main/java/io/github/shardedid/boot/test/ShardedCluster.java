package io.github.shardedid.boot.test;

import static java.util.Objects.requireNonNull;

import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardSchema;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The cluster of a test, seen from outside of the application: SQL at a shard, databases to stop and start, and assertions
 * on where rows are. A bean of every application that {@link AutoConfigureShardedCluster} has given a cluster. Used by one
 * thread at a time.
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
     * How many logical shards there are.
     *
     * @return 1 or more; they are numbered from 0
     */
    public int shardCount() {
        return cluster().shardCount();
    }

    /**
     * The database that is home of a shard just now.
     *
     * @param shard 0 up to the number of shards − 1
     * @return the database's name
     * @throws io.github.shardedid.topology.UnknownShardException if there is no such shard
     */
    public String databaseOf(int shard) {
        return cluster().map().get().databaseOf(shard);
    }

    /**
     * SQL in the schema of a shard, past the application: what an open transaction has written is not seen.
     *
     * @param shard 0 up to the number of shards − 1
     * @return opens a connection for each statement
     */
    public JdbcClient shard(int shard) {
        return client(databaseOf(shard), ShardSchema.nameOf(shard));
    }

    /**
     * SQL in the schema of the global entities, past the application.
     *
     * @return opens a connection for each statement
     * @throws IllegalStateException if the application has no global database
     */
    public JdbcClient global() {
        return new GlobalSchema(beans)
                .place()
                .map(place -> client(place.database(), place.schema()))
                .orElseThrow(() -> new IllegalStateException(
                        "The application has no global entities: sharded-id.global.database is not set."));
    }

    /**
     * SQL in a database, past the application. Schemas are to be named.
     *
     * @param name {@code pg1} and the like
     * @return opens a connection for each statement
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
     * Stops the server of a database; its data stays. It is started again after the test method, if not before.
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
     * Starts the server of a database again, and waits until the application's pools reach it. Does nothing if it runs.
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
     * Whether the server of a database runs.
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
     * Deletes the rows of all sharded and global tables. Before each test method this happens by itself.
     *
     * @param keep names of tables that are left alone
     */
    public void clean(String... keep) {
        cleaner.clean(List.of(keep));
    }

    /**
     * An id, to be asserted on: {@code assertThat(cluster.id(photo.getId())).isInShard(5)}.
     *
     * @param id an id of a sharded entity
     * @return what the id says
     */
    public IdInCluster id(long id) {
        return new IdInCluster(id, cluster(), EntityTables.of(beans));
    }

    /**
     * The row of an entity, to be asserted on: {@code assertThat(cluster.row(photo)).isStoredInTheShardItsIdNames()}. Within a
     * transaction of the test, what it has written is flushed and seen.
     *
     * @param entity an entity that has an id, sharded or global
     * @return looks for the row when it is asked
     * @throws IllegalArgumentException if the object is no entity of the application, or has no id
     */
    public RowInCluster row(Object entity) {
        EntityTables tables = EntityTables.of(beans);
        return row(tables.typeOf(entity), tables.idOf(entity));
    }

    /**
     * The row of an entity, to be asserted on.
     *
     * @param entity the entity's class, sharded or global
     * @param id its id
     * @return looks for the row when it is asked
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
