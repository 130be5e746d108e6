package io.github.shardedid.boot.test;

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
 * Looks for a row by its id wherever its table is: from outside of the application; within a transaction of the test, through
 * the application, since nobody else sees yet what that has written.
 */
record RowSearch(BeanFactory beans, TestDatabases databases, EntityTables.Table table, Object id) {
    private static final String SCHEMAS =
            """
            SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = ? AND c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_|^sharded_id$|_fenced_[0-9]+$'
            ORDER BY 1""";

    /** Each as often as the row is there. */
    List<RowPlace> places() {
        return TransactionSynchronizationManager.isActualTransactionActive() ? inTransaction() : outside();
    }

    /** The databases that could not be looked into. */
    List<String> stopped() {
        return databases.names().stream()
                .filter(name -> !databases.server(name).isRunning())
                .toList();
    }

    private List<RowPlace> outside() {
        List<RowPlace> places = new ArrayList<>();
        for (String database : databases.names()) {
            if (databases.server(database).isRunning()) {
                JdbcClient jdbc = JdbcClient.create(
                        new DriverManagerDataSource(databases.url(database), TestServer.USER, TestServer.PASSWORD));
                List<String> schemas = jdbc.sql(SCHEMAS)
                        .param(table.name())
                        .query(String.class)
                        .list();
                places.addAll(in(database, schemas, jdbc));
            }
        }
        return places;
    }

    private List<RowPlace> in(String database, List<String> schemas, JdbcClient jdbc) {
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
                .map(schema -> new RowPlace(database, schema))
                .toList();
    }

    private List<RowPlace> inTransaction() {
        for (EntityManagerFactory factory :
                beans.getBeanProvider(EntityManagerFactory.class).stream().toList()) {
            EntityManager entities = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
            if (entities != null) {
                entities.flush();
            }
        }
        JdbcTemplate jdbc = new JdbcTemplate(beans.getBean(DataSource.class));
        List<RowPlace> places = new ArrayList<>();
        if (!table.sharded()) {
            new GlobalSchema(beans).place().ifPresent(global -> {
                RowPlace place = new RowPlace(global.database(), global.schema());
                ShardContext.runGlobal(() -> look(jdbc, place, places));
            });
            return places;
        }
        ShardMap map = beans.getBean(Cluster.class).map().get();
        for (int shard = 0; shard < map.shardCount(); shard++) {
            RowPlace place = new RowPlace(map.databaseOf(shard), ShardSchema.nameOf(shard));
            if (databases.server(place.database()).isRunning()) {
                ShardContext.run(shard, () -> look(jdbc, place, places));
            }
        }
        return places;
    }

    private void look(JdbcTemplate jdbc, RowPlace place, List<RowPlace> places) {
        jdbc.query(
                "SELECT 1 FROM " + condition(),
                row -> {
                    places.add(place);
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
