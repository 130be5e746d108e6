package io.github.shardedid.hibernate.derived;

import io.github.shardedid.hibernate.derived.Club.Member;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;

/** Eight shards on two servers with the tables of the club. */
final class ClubCluster implements AutoCloseable {
    static final int SHARDS = 8;

    final TestCluster databases = new TestCluster(
            IdLayout.DEFAULT,
            SHARDS,
            2,
            GlobalDatabase.on("pg2"),
            "classpath:db/membership/global",
            "classpath:db/membership/shard");

    final SessionFactory sessions;

    ClubCluster() {
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Club.TABLES + "RESET search_path");
        }
        Configuration configuration = new Configuration();
        configuration.getProperties().putAll(settings());
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        sessions = configuration.addAnnotatedClasses(Club.ENTITIES).buildSessionFactory();
    }

    static Map<String, Object> settings() {
        return Map.of(
                "hibernate.jdbc.batch_size", "20",
                "hibernate.generate_statistics", "true",
                "hibernate.default_batch_fetch_size", "8",
                "hibernate.physical_naming_strategy", PhysicalNamingStrategySnakeCaseImpl.class.getName());
    }

    Member member(int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Member member = new Member("member of " + shard);
                    session.persist(member);
                    return member;
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
