package io.github.shardedid.hibernate.globalsets;

import io.github.shardedid.hibernate.globalsets.Accounts.Authority;
import io.github.shardedid.hibernate.globalsets.Accounts.Badge;
import io.github.shardedid.hibernate.globalsets.Accounts.GoldBadge;
import io.github.shardedid.hibernate.globalsets.Accounts.Level;
import io.github.shardedid.hibernate.globalsets.Accounts.Tag;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** Eight shards on two servers with accounts, and a global database on the second. */
final class AccountsCluster implements AutoCloseable {
    static final int SHARDS = 8;
    static final int TARGETS = 6;

    final TestCluster databases = new TestCluster(
            IdLayout.DEFAULT,
            SHARDS,
            2,
            GlobalDatabase.on("pg2"),
            "classpath:db/membership/global",
            "classpath:db/membership/shard");

    AccountsCluster() {
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Accounts.TABLES + "RESET search_path");
        }
        databases
                .databases()
                .get(1)
                .execute("SET search_path = sharded_global; " + Accounts.GLOBAL_TABLES + "RESET search_path");
    }

    SessionFactory sessions(boolean cached, Class<?>... entities) {
        Configuration configuration = new Configuration();
        configuration.getProperties().putAll(settings(cached));
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        return configuration.addAnnotatedClasses(entities).buildSessionFactory();
    }

    static Map<String, Object> settings(boolean cached) {
        return Map.of(
                "hibernate.jdbc.batch_size",
                "20",
                "hibernate.generate_statistics",
                "true",
                "hibernate.cache.use_second_level_cache",
                cached,
                "hibernate.cache.region.factory_class",
                cached ? "io.github.shardedid.hibernate.matrix.MapCache" : "",
                "hibernate.physical_naming_strategy",
                PhysicalNamingStrategySnakeCaseImpl.class.getName());
    }

    static void fill(SessionFactory sessions) {
        sessions.inTransaction(session -> {
            for (int i = 0; i < TARGETS; i++) {
                session.persist(new Authority("ROLE_" + i));
                session.persist(new Tag(i));
                session.persist(new Level(i));
                session.persist(i % 2 == 0 ? new Badge(i) : new GoldBadge(i));
            }
        });
    }

    /** The rows of a query in one shard, read past the project. */
    List<String> rows(int shard, String select) {
        return databases.home(shard).query(select.replace("$", "shard_000" + shard));
    }

    @Override
    public void close() {
        databases.close();
    }
}
