package io.github.shardedid.boot.app;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application on eight shards, four on each of two databases: 0 to 3 on pg1, 4 to 7 on pg2, each behind a wire tap. */
public final class RunningApp implements AutoCloseable {
    private static @Nullable RunningApp shared;

    public final List<TestDatabase> databases;
    public final List<WireTap> taps;
    final ConfigurableApplicationContext context;

    private RunningApp(List<TestDatabase> databases, String... more) {
        this.databases = databases;
        this.taps = databases.stream()
                .map(database -> new WireTap(database.server().port()))
                .toList();
        this.context = start(more);
    }

    /** One for all tests of this JVM; new rows only, please. */
    static synchronized RunningApp shared() {
        if (shared == null) {
            shared = on(PostgresServers.shared(1), PostgresServers.shared(2));
        }
        return shared;
    }

    public static RunningApp on(PostgresServer first, PostgresServer second, String... more) {
        return new RunningApp(List.of(first.newDatabase(), second.newDatabase()), more);
    }

    /** Starts the application on the databases; also a second instance of it. */
    ConfigurableApplicationContext start(String... more) {
        return start(PhotoSharing.class, more);
    }

    /** Starts another application on the databases. */
    ConfigurableApplicationContext start(Class<?> application, String... more) {
        Map<String, Object> properties = properties();
        for (String property : more) {
            int equals = property.indexOf('=');
            properties.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return TestPools.trusting(() ->
                new SpringApplicationBuilder(application).properties(properties).run());
    }

    /** What an application is configured with to be one more instance. */
    Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "sharded-id.epoch", "2024-01-01T00:00:00Z",
                "sharded-id.shards", "8",
                "sharded-id.moves.recover", "false",
                // As long as the slowest machine needs.
                "sharded-id.hikari.connection-timeout", "180000",
                "sharded-id.global.database", "pg2"));
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.put(prefix + "url", taps.get(i).url(database.name()));
            properties.put(prefix + "username", database.server().username());
            properties.put(prefix + "password", database.server().password());
            properties.put(prefix + "shards", i == 0 ? "0-3" : "4-7");
        }
        return properties;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Cluster cluster() {
        return bean(Cluster.class);
    }

    int shardOf(long id) {
        return cluster().shardOf(id);
    }

    User userIn(int shard) {
        return ShardContext.call(shard, () -> bean(UserRepository.class).save(new User("user of " + shard)));
    }

    Photo photoOf(User author, String caption) {
        return bean(PhotoRepository.class).save(new Photo(author, caption));
    }

    <T extends @Nullable Object> T inTransaction(Supplier<T> work) {
        return transactions().execute(status -> work.get());
    }

    void inTransaction(Runnable work) {
        transactions().executeWithoutResult(status -> work.run());
    }

    private TransactionTemplate transactions() {
        return new TransactionTemplate(bean(PlatformTransactionManager.class));
    }

    TestDatabase home(int shard) {
        return databases.get(shard < 4 ? 0 : 1);
    }

    /** What is in a shard, read past the application; {@code $.} stands for its schema. */
    List<String> query(int shard, String sql) {
        return home(shard).query(sql.replace("$.", ShardSchema.nameOf(shard) + "."));
    }

    long turns() {
        return taps.stream().mapToLong(WireTap::turns).sum();
    }

    /** How many connections are borrowed from the pools just now. */
    public int activeConnections() {
        ShardedDatabases pools = bean(ShardedDatabases.class);
        return Stream.of(pools.byName(), pools.readPools())
                .flatMap(each -> each.values().stream())
                .mapToInt(RunningApp::activeConnections)
                .sum();
    }

    /** Of one pool, which may not have connected yet. */
    static int activeConnections(DataSource pool) {
        HikariPoolMXBean figures = ((HikariDataSource) pool).getHikariPoolMXBean();
        return figures == null ? 0 : figures.getActiveConnections();
    }

    /** After a cut of the tap of a database: until all pools of the application reach that again, and it knows so. */
    void restore(int database) {
        taps.get(database).restore();
        String name = "pg" + (database + 1);
        ShardedDatabases pools = bean(ShardedDatabases.class);
        Stream.of(pools.byName(), pools.readPools(), pools.forMap())
                .map(each -> (HikariDataSource) requireNonNull(each.get(name)))
                .forEach(TestPools::awaitConnection);
        TestPools.awaitConnection(context.getBean("globalDataSource", HikariDataSource.class));
        CurrentShardMap map = cluster().map();
        map.refreshSince(map.nanoTime());
    }

    void resetTaps() {
        taps.forEach(WireTap::reset);
    }

    /** What the application has sent since the last reset. */
    List<String> sent() {
        return taps.stream().flatMap(tap -> tap.frontendMessages().stream()).toList();
    }

    @Override
    public void close() {
        context.close();
        taps.forEach(WireTap::close);
    }
}
