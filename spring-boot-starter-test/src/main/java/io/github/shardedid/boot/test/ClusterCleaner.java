package io.github.shardedid.boot.test;

import io.github.shardedid.boot.test.internal.server.TestServer;
import io.github.shardedid.topology.GlobalDatabase;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Deletes the rows of tables. Sequences, leases and migration histories are kept. Skips tables that have never had a row.
 */
final class ClusterCleaner {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterCleaner.class);

    private static final String USED_TABLES =
            """
            SELECT format('%I.%I', n.nspname, c.relname)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind = 'r' AND (n.nspname ~ '^shard_[0-9]+$' OR n.nspname = ?)
              AND c.relname <> ALL (?) AND pg_relation_size(c.oid) > 0
            ORDER BY 1""";

    private static final List<String> NOT_OF_THE_USER =
            List.of("flyway_schema_history", "databasechangelog", "databasechangeloglock", "sharded_id_lease");

    private final BeanFactory beans;
    private final TestDatabases databases;
    private final Set<List<String>> checked = new HashSet<>();
    private boolean first = true;

    ClusterCleaner(BeanFactory beans, TestDatabases databases) {
        this.beans = beans;
        this.databases = databases;
    }

    void clean(List<String> keep) {
        String global =
                new GlobalSchema(beans).find().map(GlobalDatabase::schema).orElse("");
        TreeSet<String> emptied = new TreeSet<>();
        for (String database : databases.names()) {
            if (databases.server(database).isRunning()) {
                emptied.addAll(clean(database, global, keep));
            }
        }
        if (first && !emptied.isEmpty()) {
            LOG.info(
                    "Deleted rows from {} before the first test. To keep the rows that migrations insert, add the tables to"
                            + " @AutoConfigureShardedCluster(keep = …).",
                    emptied);
        }
        first = false;
        checked.add(keep);
        beans.getBeanProvider(EntityManagerFactory.class)
                .forEach(factory -> factory.getCache().evictAll());
    }

    /** Disables triggers, including those of foreign keys, so the order of tables does not matter. */
    private List<String> clean(String database, String global, List<String> keep) {
        List<String> emptied = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(databases.url(database), TestServer.USER, TestServer.PASSWORD);
                Statement statement = connection.createStatement()) {
            if (!keep.isEmpty() && !checked.contains(keep)) {
                KeptTables.check(connection, database, keep);
            }
            List<String> tables = usedTables(connection, global, keep);
            if (tables.isEmpty()) {
                return emptied;
            }
            statement.addBatch("SET session_replication_role = replica");
            statement.addBatch("SET lock_timeout = '10s'");
            for (String table : tables) {
                statement.addBatch("DELETE FROM " + table);
            }
            int[] counts = statement.executeBatch();
            for (int i = 0; i < tables.size(); i++) {
                if (counts[i + 2] > 0) {
                    emptied.add(tables.get(i));
                }
            }
            return emptied;
        } catch (SQLException | DataAccessException e) {
            throw new IllegalStateException(
                    "Could not delete the rows of database " + database
                            + " before a test. Check whether an earlier test has left a transaction open.",
                    e);
        }
    }

    private static List<String> usedTables(Connection connection, String global, List<String> keep) {
        String[] left = Stream.concat(NOT_OF_THE_USER.stream(), keep.stream()).toArray(String[]::new);
        return new JdbcTemplate(new SingleConnectionDataSource(connection, true))
                .queryForList(USED_TABLES, String.class, global, left);
    }
}
