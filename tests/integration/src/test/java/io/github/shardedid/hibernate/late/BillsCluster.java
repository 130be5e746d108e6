package io.github.shardedid.hibernate.late;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.ShardKeys;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** Eight shards on two servers with the tables of {@link Bills}. */
final class BillsCluster implements AutoCloseable {
    static final int SHARDS = 8;

    final TestCluster databases;
    private final AtomicLong milliseconds = new AtomicLong(1_000_000);

    BillsCluster() {
        this(new TestCluster(IdLayout.DEFAULT, SHARDS, 2));
    }

    BillsCluster(TestCluster databases) {
        this.databases = databases;
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Bills.TABLES + "RESET search_path");
        }
    }

    Configuration configuration(Class<?>... entities) {
        Configuration configuration = new Configuration().addAnnotatedClasses(entities);
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration;
    }

    static String tenant(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant " + i)
                .filter(tenant -> ShardKeys.shardOf(tenant, SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    long newId(int shard) {
        return IdLayout.DEFAULT.encode(milliseconds.incrementAndGet(), shard, 1);
    }

    /** The rows of a table in all shards, each after its shard. */
    List<String> rows(String table) {
        return IntStream.range(0, SHARDS)
                .boxed()
                .flatMap(shard -> rows(shard, table).map(row -> shard + ": " + row))
                .toList();
    }

    private Stream<String> rows(int shard, String table) {
        return databases.home(shard).query("SELECT t::text FROM shard_000" + shard + "." + table + " t").stream();
    }

    @Override
    public void close() {
        databases.close();
    }
}
