package io.github.shardedid.boot.test;

import io.github.shardedid.boot.test.internal.server.TestServer;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Searches for a row by its id in all schemas that have its table. Within a transaction of the test, this uses the application's
 * connections, because its changes are not visible to others. Otherwise, it connects to the databases directly.
 */
record RowSearch(BeanFactory beans, TestDatabases databases, EntityTables.Table table, Object id) {
    private static final String SCHEMAS =
            """
            SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = ? AND c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_|^sharded_id$|_fenced_[0-9]+$'
            ORDER BY 1""";

    /** Returns one location for each row found. */
    List<RowLocation> locations() {
        return TransactionSynchronizationManager.isActualTransactionActive() ? inTransaction() : inDatabases();
    }

    /** The stopped databases, which are not searched. */
    List<String> stopped() {
        return databases.names().stream()
                .filter(name -> !databases.server(name).isRunning())
                .toList();
    }

    private List<RowLocation> inDatabases() {
        List<RowLocation> locations = new ArrayList<>();
        for (String database : databases.names()) {
            if (databases.server(database).isRunning()) {
                JdbcClient jdbc = JdbcClient.create(
                        new DriverManagerDataSource(databases.url(database), TestServer.USER, TestServer.PASSWORD));
                List<String> schemas = jdbc.sql(SCHEMAS)
                        .param(table.name())
                        .query(String.class)
                        .list();
                locations.addAll(in(database, schemas, jdbc));
            }
        }
        return locations;
    }

    private List<RowLocation> in(String database, List<String> schemas, JdbcClient jdbc) {
        if (schemas.isEmpty()) {
            return List.of();
        }
        String everywhere = schemas.stream()
                .map(schema -> "SELECT '" + schema.replace("'", "''") + "' FROM " + quoted(schema) + "." + condition())
                .collect(Collectors.joining(" UNION ALL "));
        return jdbc
                .sql(everywhere)
                .params(schemas.stream().map(schema -> id).toList())
                .query(String.class)
                .list()
                .stream()
                .map(schema -> new RowLocation(database, schema))
                .toList();
    }

    private List<RowLocation> inTransaction() {
        for (EntityManagerFactory factory :
                beans.getBeanProvider(EntityManagerFactory.class).stream().toList()) {
            EntityManager entities = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
            if (entities != null) {
                entities.flush();
            }
        }
        JdbcTemplate jdbc = new JdbcTemplate(beans.getBean(DataSource.class));
        List<RowLocation> locations = new ArrayList<>();
        if (!table.sharded()) {
            new GlobalSchema(beans).find().ifPresent(global -> {
                RowLocation location = new RowLocation(global.database(), global.schema());
                ShardContext.runGlobal(() -> search(jdbc, location, locations));
            });
            return locations;
        }
        ShardMap map = beans.getBean(Cluster.class).map().get();
        for (int shard = 0; shard < map.shardCount(); shard++) {
            RowLocation location = new RowLocation(map.databaseOf(shard), ShardSchema.nameOf(shard));
            if (databases.server(location.database()).isRunning()) {
                ShardContext.run(shard, () -> search(jdbc, location, locations));
            }
        }
        return locations;
    }

    private void search(JdbcTemplate jdbc, RowLocation location, List<RowLocation> locations) {
        jdbc.query(
                "SELECT 1 FROM " + condition(),
                row -> {
                    locations.add(location);
                },
                id);
    }

    private String condition() {
        return quoted(table.name()) + " WHERE " + quoted(table.idColumn()) + " = ?";
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
