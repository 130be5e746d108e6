package io.github.shardedid.databases;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Empty databases on two servers. Shards 0 to 3 are on pg1, beside the global database, and 4 to 7 on pg2. */
public record TwoDatabases(TestDatabase pg1, TestDatabase pg2) {
    /** Without a web server and without jobs, unless the arguments say otherwise. */
    private static final List<String> PROPERTIES = List.of(
            "spring.main.web-application-type=none",
            "spring.main.banner-mode=off",
            "spring.liquibase.enabled=false",
            "spring.batch.job.enabled=false",
            "spring.batch.jdbc.initialize-schema=always",
            "sharded-id.epoch=2024-01-01T00:00:00Z",
            "sharded-id.shards=8",
            "sharded-id.global.database=pg1",
            "sharded-id.global.migrations=");

    public static TwoDatabases create() {
        return new TwoDatabases(
                PostgresServers.shared(1).newDatabase(),
                PostgresServers.shared(2).newDatabase());
    }

    /**
     * Starts an application.
     *
     * @param migrations the location of the scripts of the shards
     * @param arguments of the command line
     */
    public ConfigurableApplicationContext start(Class<?> application, String migrations, String... arguments) {
        return new SpringApplicationBuilder(application)
                .properties(properties(migrations).toArray(String[]::new))
                .run(arguments);
    }

    /**
     * The properties of an application.
     *
     * @param migrations the location of the scripts of the shards
     */
    public List<String> properties(String migrations) {
        List<String> properties = new ArrayList<>(PROPERTIES);
        properties.add("sharded-id.migrations=" + migrations);
        add(properties, "pg1", pg1, "0-3");
        add(properties, "pg2", pg2, "4-7");
        return properties;
    }

    private static void add(List<String> properties, String name, TestDatabase database, String shards) {
        String prefix = "sharded-id.databases." + name + ".";
        properties.add(prefix + "url=" + database.url());
        properties.add(prefix + "username=" + database.server().username());
        properties.add(prefix + "password=" + database.server().password());
        properties.add(prefix + "shards=" + shards);
    }

    /** Moves a shard of an application, as another process would. */
    public void move(ApplicationContext application, int shard, String to) {
        try (HikariDataSource first = pool(pg1);
                HikariDataSource second = pool(pg2)) {
            new ShardMover(
                            application.getBean(ClusterDefinition.class),
                            Map.of("pg1", first, "pg2", second),
                            application.getBean(ShardMigrations.class))
                    .moveOffline(shard, to);
        }
    }

    private static HikariDataSource pool(TestDatabase database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.server().username());
        pool.setPassword(database.server().password());
        return pool;
    }

    /** The database that has a shard at first. */
    public TestDatabase of(int shard) {
        return shard < 4 ? pg1 : pg2;
    }

    /** The first column of a query in a shard, whose schema is written as {@code $}. */
    public List<String> query(int shard, String sql) {
        return of(shard).query(sql.replace("$.", ShardSchema.nameOf(shard) + "."));
    }

    public void drop() {
        pg1.drop();
        pg2.drop();
    }
}
