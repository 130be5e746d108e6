package io.github.shardedid.hibernate.naturalids;

import io.github.shardedid.hibernate.naturalids.Library.Owner;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** Eight shards on two servers with the tables of the library. */
final class LibraryCluster implements AutoCloseable {
    static final int SHARDS = 8;

    final TestCluster databases = new TestCluster(
            IdLayout.DEFAULT,
            SHARDS,
            2,
            GlobalDatabase.on("pg2"),
            "classpath:db/membership/global",
            "classpath:db/membership/shard");

    final SessionFactory sessions;

    LibraryCluster(boolean cached) {
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Library.TABLES + "RESET search_path");
        }
        databases.databases().get(1).execute("SET search_path = sharded_global; " + Library.TAGS + "RESET search_path");
        sessions = configuration(cached).addAnnotatedClasses(Library.ENTITIES).buildSessionFactory();
    }

    Configuration configuration(boolean cached) {
        Configuration configuration = new Configuration();
        configuration.getProperties().putAll(settings(cached));
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        return configuration;
    }

    static Map<String, Object> settings(boolean cached) {
        return Map.of(
                "hibernate.jdbc.batch_size",
                "20",
                "hibernate.generate_statistics",
                "true",
                "hibernate.default_batch_fetch_size",
                "8",
                "hibernate.cache.use_second_level_cache",
                cached,
                "hibernate.cache.region.factory_class",
                cached ? "io.github.shardedid.hibernate.matrix.MapCache" : "",
                "hibernate.physical_naming_strategy",
                PhysicalNamingStrategySnakeCaseImpl.class.getName());
    }

    Owner owner(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Owner owner = new Owner("owner of " + shard);
                    session.persist(owner);
                    return owner;
                }));
    }

    /** The rows of a query in one shard, read past the project. */
    List<String> rows(int shard, String select) {
        return databases.home(shard).query(select.replace("$", "shard_000" + shard));
    }

    @Override
    public void close() {
        sessions.close();
        databases.close();
    }
}
