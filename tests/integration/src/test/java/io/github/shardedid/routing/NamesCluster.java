package io.github.shardedid.routing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.ProvisionedCopies;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Four shards on two databases, whose migrations have triggers, functions, a view and generated columns, and use extensions. A
 * trigger of each shard writes into {@code public.path_log} under which search path it was called.
 */
final class NamesCluster implements AutoCloseable {
    static final int SHARDS = 4;

    private static final String PREPARED =
            """
            CREATE EXTENSION citext; CREATE EXTENSION pg_trgm;
            CREATE TABLE public.path_log (schema text, path text);
            CREATE FUNCTION public.log_path() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              INSERT INTO public.path_log VALUES (TG_TABLE_SCHEMA, current_setting('search_path'));
              RETURN NEW;
            END $$;
            """;
    private static final String ROWS =
            """
            INSERT INTO %1$s.photo VALUES (1, 'of %1$s');
            INSERT INTO %1$s.tag VALUES (1), (2);
            INSERT INTO %1$s.account (id, email) VALUES (%2$d, 'Ada%2$d@x.org');
            """;

    private final Map<String, TestDatabase> databases = new LinkedHashMap<>();
    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private final ClusterDefinition definition = new ClusterDefinition(
            IdLayout.DEFAULT, SHARDS, Map.of("pg1", ShardRanges.parse("0-1"), "pg2", ShardRanges.parse("2-3")));
    private @Nullable RoutingDataSource routed;

    NamesCluster() {
        this(TestDatabase::url);
    }

    /** Connects to the databases by other URLs than their own. */
    NamesCluster(Function<TestDatabase, String> url) {
        this(ProvisionedCopies.make(NamesCluster.class, 2, empty -> new NamesCluster(empty).fill()));
        databases.forEach((name, database) -> pools.put(name, pool(database, url.apply(database))));
        routed = new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, new CurrentShardMap(new DatabaseShardMapSource(definition, direct()))),
                pools);
    }

    private NamesCluster(List<TestDatabase> made) {
        for (TestDatabase database : made) {
            databases.put("pg" + (databases.size() + 1), database);
        }
    }

    private void fill() {
        databases.values().forEach(database -> database.execute(PREPARED));
        provision();
        for (int shard = 0; shard < SHARDS; shard++) {
            home(shard).execute(ROWS.formatted(ShardSchema.nameOf(shard), shard));
        }
    }

    RoutingDataSource routed() {
        return Objects.requireNonNull(routed);
    }

    void provision() {
        new Provisioner(definition, direct(), ShardMigrations.at("classpath:db/paths")).provision();
    }

    private Map<String, DataSource> direct() {
        Map<String, DataSource> sources = new LinkedHashMap<>();
        databases.forEach((name, database) -> sources.put(name, database.dataSource()));
        return sources;
    }

    private static HikariDataSource pool(TestDatabase database, String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(database.server().username());
        config.setPassword(database.server().password());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    /** The database of a shard. */
    TestDatabase home(int shard) {
        return Objects.requireNonNull(databases.get(shard < 2 ? "pg1" : "pg2"));
    }

    void poolSize(int size) {
        pools.values().forEach(pool -> pool.setMaximumPoolSize(size));
    }

    /** The first column of a query in a shard, in autocommit. */
    List<String> query(int shard, String sql) throws SQLException {
        try (Connection connection = routed().getConnection()) {
            return query(connection, shard, sql);
        }
    }

    static List<String> query(Connection connection, int shard, String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            List<String> values = new ArrayList<>();
            while (row.next()) {
                values.add(row.getString(1));
            }
            return values;
        }
    }

    /** Executes in a shard, in autocommit. */
    void execute(int shard, String sql) throws SQLException {
        try (Connection connection = routed().getConnection()) {
            execute(connection, shard, sql);
        }
    }

    static void execute(Connection connection, int shard, String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A number that a query returns in a shard's schema, read past the project. */
    long inside(int shard, String sql) {
        return home(shard).queryLong(sql.replace("{h}", ShardSchema.nameOf(shard) + "."));
    }

    /** What triggers have seen that must not be: the schema of one shard under the path of another one. */
    List<String> foreignPaths() {
        List<String> found = new ArrayList<>();
        databases
                .values()
                .forEach(database -> found.addAll(database.query("SELECT schema || ' under ' || path FROM"
                        + " public.path_log WHERE path ~ 'shard_' AND path NOT LIKE schema || ', %' OR path NOT LIKE"
                        + " '%public'")));
        return found;
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
        databases.values().forEach(TestDatabase::drop);
    }
}
