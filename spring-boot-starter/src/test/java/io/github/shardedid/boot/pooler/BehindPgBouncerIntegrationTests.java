package io.github.shardedid.boot.pooler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.app.Like;
import io.github.shardedid.boot.app.LikeRepository;
import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.boot.app.PhotoRepository;
import io.github.shardedid.boot.app.PhotosEverywhere;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.boot.app.UserRepository;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PgBouncerServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application with PgBouncer in transaction mode in front of each database. */
@Tag("embedded-only")
@EnabledIf("isInstalled")
class BehindPgBouncerIntegrationTests {
    private static final int THREADS = 4;
    private static final int ROUNDS = 8; // The driver prepares a statement in the server from the fifth execution on.

    private final List<TestDatabase> databases = List.of(
            PostgresServers.shared(1).newDatabase(), PostgresServers.shared(2).newDatabase());
    private List<PgBouncerServer> poolers;

    static boolean isInstalled() {
        return PgBouncerServer.isInstalled();
    }

    @BeforeEach
    void start() {
        poolers = List.of(
                new PgBouncerServer(PostgresServers.shared(1), 2), new PgBouncerServer(PostgresServers.shared(2), 2));
    }

    @AfterEach
    void stop() {
        poolers.forEach(PgBouncerServer::close);
    }

    private Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg2",
                "sharded-id.map.poll", "1h"));
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.put(prefix + "url", poolers.get(i).url(database.name()));
            properties.put(prefix + "direct-url", database.url());
            properties.put(prefix + "username", database.server().username());
            properties.put(prefix + "password", database.server().password());
            properties.put(prefix + "shards", i == 0 ? "0-3" : "4-7");
        }
        return properties;
    }

    private static ConfigurableApplicationContext run(Map<String, Object> properties) {
        return new SpringApplicationBuilder(PooledApp.class)
                .properties(properties)
                .run();
    }

    @Test
    void theApplicationRunsAndFollowsAMove() throws Exception {
        try (ConfigurableApplicationContext context = run(properties())) {
            List<User> users = new ArrayList<>();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<List<User>>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                work.add(threads.submit(() -> use(context)));
            }
            for (Future<List<User>> each : work) {
                users.addAll(each.get());
            }
            threads.shutdown();
            assertThat(context.getBean(PhotosEverywhere.class).countByCaption("photo"))
                    .isEqualTo(users.size());

            IdLayout layout = context.getBean(Cluster.class).layout();
            CallRepository calls = context.getBean(CallRepository.class);
            for (int visitor = 0; visitor < 8; visitor++) {
                Call call = new Call(visitor);
                await().until(() -> layout.decode(requireNonNull(calls.save(new Call(call.visitor)).id))
                        .node()
                        .isPresent());
            }

            move(context, 0, "pg2");

            await().untilAsserted(() -> assertThat(
                            context.getBean(CurrentShardMap.class).get().databaseOf(0))
                    .isEqualTo("pg2"));
            assertThat(use(context)).hasSize(8 * ROUNDS);
            users.forEach(
                    user -> assertThat(context.getBean(UserRepository.class).findById(user.id()))
                            .isPresent());
        }
    }

    /** In each shard: ids of all strategies, finds, native SQL with and without a transaction. Returns the users. */
    private static List<User> use(ConfigurableApplicationContext context) {
        UserRepository userRepository = context.getBean(UserRepository.class);
        PhotoRepository photos = context.getBean(PhotoRepository.class);
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        TransactionTemplate transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        List<User> users = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int shard = 0; shard < 8; shard++) {
                User user = ShardContext.call(shard, () -> userRepository.save(new User("behind")));
                users.add(user);
                Photo photo = photos.save(new Photo(user, "photo"));
                context.getBean(LikeRepository.class).save(new Like(photo.id(), "fan"));
                assertThat(context.getBean(LikeRepository.class).findByPhotoId(photo.id()))
                        .hasSize(1);
                assertThat(photos.findById(photo.id())).map(Photo::getCaption).contains("photo");
                assertThat(photos.natively(user.id())).hasSize(1);
                Call call = context.getBean(CallRepository.class).save(new Call(shard));
                assertThat(context.getBean(CallRepository.class).findByVisitor(shard))
                        .extracting(each -> each.id)
                        .contains(call.id);
                String sql = "select caption from photo where id = ?";
                Supplier<List<String>> natively = () -> jdbc.queryForList(sql, String.class, photo.id());
                assertThat(ShardContext.call(shard, natively)).containsExactly("photo");
                Supplier<List<String>> inTransaction = () -> transactions.execute(status -> natively.get());
                assertThat(ShardContext.call(shard, inTransaction)).containsExactly("photo");
            }
        }
        return users;
    }

    /** As the command does. */
    private static void move(ConfigurableApplicationContext context, int shard, String target) throws Exception {
        ConfiguredCluster cluster = ConfiguredCluster.of(context.getEnvironment());
        try (ShardedDatabases pools = cluster.openPools()) {
            cluster.mover(pools, context.getBean(ShardMigrations.class), List.of())
                    .move(shard, target);
        }
    }

    @Test
    void aDirectUrlIsAskedForByName() {
        Map<String, Object> properties = properties();
        properties.remove("sharded-id.databases.pg2.direct-url");

        assertThatThrownBy(() -> run(properties))
                .rootCause()
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.DIRECT_CONNECTION_REQUIRED)
                .hasMessageContaining("Database pg2 is behind a pooler")
                .hasMessageContaining("sharded-id.databases.pg2.direct-url");
        assertThat(databases.get(0).query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                .isEmpty();
    }
}
