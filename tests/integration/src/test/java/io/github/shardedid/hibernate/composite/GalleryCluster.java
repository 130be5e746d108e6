package io.github.shardedid.hibernate.composite;

import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.hibernate.composite.Gallery.User;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** Eight shards on two servers with the tables of the gallery. */
final class GalleryCluster implements AutoCloseable {
    static final int SHARDS = 8;

    final TestCluster databases;
    final SessionFactory sessions;

    GalleryCluster(String tables, Class<?>... entities) {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                SHARDS,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        for (int shard = 0; shard < SHARDS; shard++) {
            databases.home(shard).execute("SET search_path = shard_000" + shard + "; " + tables + "RESET search_path");
        }
        sessions = configuration(databases).addAnnotatedClasses(entities).buildSessionFactory();
    }

    static Configuration configuration(TestCluster databases) {
        Configuration configuration = new Configuration();
        configuration.getProperties().putAll(settings());
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, databases.constraining());
        return configuration;
    }

    static Map<String, Object> settings() {
        return Map.of(
                "hibernate.jdbc.batch_size", "20",
                "hibernate.generate_statistics", "true",
                "hibernate.default_batch_fetch_size", "8",
                "hibernate.physical_naming_strategy", PhysicalNamingStrategySnakeCaseImpl.class.getName());
    }

    User user(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    User user = new User("user of " + shard);
                    session.persist(user);
                    return user;
                }));
    }

    Photo photo(int shard) {
        User owner = user(shard);
        return sessions.fromTransaction(session -> {
            Photo photo = new Photo(owner);
            photo.title = "photo of " + shard;
            session.persist(photo);
            return photo;
        });
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
