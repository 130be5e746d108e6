package io.github.shardedid.hibernate;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;

/** Eight shards on two servers, and a session factory that was given nothing but the routing data source. */
final class HibernateCluster implements AutoCloseable {
    static final int SHARDS = 8;

    final TestCluster databases;
    final SessionFactory sessions;

    HibernateCluster() {
        databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/hibernate");
        sessions = configuration(databases).buildSessionFactory();
    }

    static Configuration configuration(TestCluster databases) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, databases.constraining());
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("hibernate.order_inserts", "true");
        configuration.setProperty("hibernate.generate_statistics", "true");
        configuration.setProperty("hibernate.default_batch_fetch_size", "8");
        configuration.setPhysicalNamingStrategy(
                new org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClasses(
                Author.class,
                Picture.class,
                Remark.class,
                Account.class,
                Handle.class,
                Album.class,
                Leaf.class,
                Pin.class,
                Sticker.class);
        return configuration;
    }

    void inTransaction(Consumer<Session> work) {
        sessions.inTransaction(work);
    }

    <T> T fromTransaction(Function<Session, T> work) {
        return sessions.fromTransaction(work);
    }

    int shardOf(@Nullable Long id) {
        if (id == null) {
            throw new AssertionError("no id");
        }
        return databases.cluster().shardOf(id);
    }

    /** A saved author in a shard. */
    Author authorIn(int shard) {
        return io.github.shardedid.routing.ShardContext.call(
                shard,
                () -> fromTransaction(session -> {
                    Author author = new Author("author of shard " + shard);
                    session.persist(author);
                    return author;
                }));
    }

    @Override
    public void close() {
        sessions.close();
        databases.close();
    }
}
