package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import software.amazon.jdbc.wrapper.ConnectionWrapper;

/** The application with the driver of a cloud that wraps PostgreSQL's, with its default plugins. */
@Tag("slow")
@Tag("embedded-only")
class WrapperDriverIntegrationTests {
    private final List<TestDatabase> databases = List.of(
            PostgresServers.shared(1).newDatabase(), PostgresServers.shared(2).newDatabase());

    private Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg2",
                "sharded-id.databases.pg1.shards", "0-3",
                "sharded-id.databases.pg2.shards", "4-7"));
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.put(prefix + "url", database.url().replace("jdbc:", "jdbc:aws-wrapper:"));
            properties.put(prefix + "username", database.server().username());
            properties.put(prefix + "password", database.server().password());
        }
        return properties;
    }

    @Test
    void everythingRunsOverIt() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(PhotoSharing.class)
                        .properties(properties())
                        .run();
                ShardedDatabases pools =
                        ConfiguredCluster.of(context.getEnvironment()).openPools()) {
            UserRepository users = context.getBean(UserRepository.class);
            PhotoRepository photos = context.getBean(PhotoRepository.class);
            List<User> saved = Stream.of(0, 1, 5)
                    .map(shard -> ShardContext.call(shard, () -> users.save(new User("wrapped"))))
                    .toList();
            saved.forEach(user -> photos.save(new Photo(user, "wrapped")));
            ShardMover mover = ConfiguredCluster.of(context.getEnvironment())
                    .mover(pools, context.getBean(ShardMigrations.class), List.of());
            assertThat(mover.check(0, "pg2")).isEmpty();

            mover.move(0, "pg2");
            mover.moveOffline(1, "pg2");

            CurrentShardMap map = context.getBean(CurrentShardMap.class);
            await().until(() -> map.get().databaseOf(0).equals("pg2")
                    && map.get().databaseOf(1).equals("pg2"));
            saved.forEach(user -> assertThat(photos.natively(user.id())).hasSize(1));
            assertThat(context.getBean(PhotosEverywhere.class).countByCaption("wrapped"))
                    .isEqualTo(3);
            assertThat(Stream.of(context.getBean(ShardedDatabases.class), pools)
                            .flatMap(each -> Stream.of(each.byName(), each.readPools(), each.forMap(), each.direct()))
                            .flatMap(each -> each.values().stream()))
                    .allSatisfy(WrapperDriverIntegrationTests::isWrapped);
        }
    }

    private static void isWrapped(DataSource source) throws Exception {
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isWrapperFor(ConnectionWrapper.class)).isTrue();
        }
    }
}
