package io.github.shardedid.boot.matrix;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.boot.app.PhotoRepository;
import io.github.shardedid.boot.app.PhotoSharing;
import io.github.shardedid.boot.app.UserRepository;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.test.matrix.ServerWatch;
import io.github.shardedid.topology.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The photo-sharing application on eight shards of two databases, behind taps. */
final class MatrixApp {
    /** A user and two photos; the first has the user's id. */
    static final String ROWS =
            """
            INSERT INTO $.app_user VALUES ($id, 'of old');
            INSERT INTO $.photo VALUES ($id, $id, 'first'), ($next, $id, 'second')
            """;

    private static @Nullable MatrixApp shared;

    final ServerWatch watch;
    private final ConfigurableApplicationContext context;

    private MatrixApp() {
        List<TestDatabase> databases = List.of(
                PostgresServers.shared(1).newDatabase(),
                PostgresServers.shared(2).newDatabase());
        List<WireTap> taps = databases.stream()
                .map(database -> new WireTap(database.server().port()))
                .toList();
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.epoch=2024-01-01T00:00:00Z",
                "sharded-id.shards=8",
                "sharded-id.global.database=pg2"));
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            // Statements are never prepared on the server, where they would be executed without being sent again.
            properties.add(prefix + "url=" + taps.get(i).url(database.name()) + "&prepareThreshold=0");
            properties.add(prefix + "username=" + database.server().username());
            properties.add(prefix + "password=" + database.server().password());
            properties.add(prefix + "shards=" + (i == 0 ? "0-3" : "4-7"));
        }
        context = TestPools.trusting(() -> new SpringApplicationBuilder(PhotoSharing.class)
                .properties(properties.toArray(String[]::new))
                .run());
        watch = new ServerWatch(databases, taps, this::taken, Set.of("app_user", "photo", "photo_like"));
    }

    /** One for all tests of this JVM. */
    static synchronized MatrixApp shared() {
        if (shared == null) {
            shared = new MatrixApp();
        }
        return shared;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    UserRepository users() {
        return bean(UserRepository.class);
    }

    PhotoRepository photos() {
        return bean(PhotoRepository.class);
    }

    JdbcTemplate jdbc() {
        return bean(JdbcTemplate.class);
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate transaction = new TransactionTemplate(bean(PlatformTransactionManager.class));
        transaction.setPropagationBehavior(propagation);
        return transaction;
    }

    IdLayout layout() {
        return bean(Cluster.class).layout();
    }

    private int taken() {
        ShardedDatabases databases = bean(ShardedDatabases.class);
        return List.of(databases.byName(), databases.readPools()).stream()
                .flatMap(pools -> pools.values().stream())
                .map(HikariDataSource.class::cast)
                .mapToInt(pool -> pool.getHikariPoolMXBean() == null
                        ? 0
                        : pool.getHikariPoolMXBean().getActiveConnections())
                .sum();
    }
}
