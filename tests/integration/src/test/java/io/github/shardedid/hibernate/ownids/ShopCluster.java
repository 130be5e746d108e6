package io.github.shardedid.hibernate.ownids;

import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** Eight shards on two servers with the tables of the shop. */
final class ShopCluster implements AutoCloseable {
    static final int SHARDS = 8;

    final TestCluster databases;
    final SessionFactory sessions;

    ShopCluster() {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                SHARDS,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Shop.TABLES + "RESET search_path");
        }
        sessions = configuration().addAnnotatedClasses(Shop.ENTITIES).buildSessionFactory();
    }

    Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.getProperties().putAll(settings());
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        return configuration;
    }

    static Map<String, Object> settings() {
        return Map.of(
                "hibernate.jdbc.batch_size", "20",
                "hibernate.default_batch_fetch_size", "8",
                "hibernate.physical_naming_strategy", PhysicalNamingStrategySnakeCaseImpl.class.getName());
    }

    /** The id of the only customer of a shard. */
    static long customerOf(int shard) {
        return IdLayout.DEFAULT.encode(1, shard, 1);
    }

    static void insertCustomers(SessionFactory sessions) {
        for (int shard = 0; shard < SHARDS; shard++) {
            Customer customer = new Customer("customer of " + shard);
            customer.id = customerOf(shard);
            sessions.inTransaction(session -> session.persist(customer));
        }
    }

    Customer customer(org.hibernate.Session session, int shard) {
        return Objects.requireNonNull(session.find(Customer.class, customerOf(shard)));
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
