package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ConnectionBeans;
import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Credentials are rotated while the application runs: for some time the old user and the new one may log in, then only the new one. All
 * roles are no superusers.
 */
@Tag("embedded-only")
@Tag("since-16") // The role pg_create_subscription is needed.
class RotatedCredentialsIntegrationTests {
    private static final int THREADS = 3;

    private final Map<String, TestDatabase> databases = Map.of(
            "pg1", PostgresServers.shared(1).newDatabase(),
            "pg2", PostgresServers.shared(2).newDatabase());
    private final AtomicReference<String> user = new AtomicReference<>("rotated_1");
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @Test
    void noCallFailsAndAMoverThatWasMadeBeforeGoesOn() throws Exception {
        for (TestDatabase database : databases.values()) {
            createRoles(database);
        }
        try (ConfigurableApplicationContext context = start();
                ShardedDatabases pools = cluster(context).openPools()) {
            ShardMover mover = cluster(context).mover(pools, context.getBean(ShardMigrations.class), List.of());
            assertThat(mover.check(0, "pg2")).isEmpty();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                work.add(threads.submit(() -> call(context.getBean(UserRepository.class))));
            }
            awaitMoreCalls();

            user.set("rotated_2");
            awaitMoreCalls();
            for (TestDatabase database : databases.values()) {
                awaitNoSession(database, List.of(context.getBean(ShardedDatabases.class), pools));
                database.execute("ALTER ROLE rotated_1 NOLOGIN");
            }
            awaitMoreCalls();

            // Its servers connect to each other, as the user of now.
            assertThat(mover.check(0, "pg2")).isEmpty();
            mover.move(0, "pg2");
            mover.moveOffline(1, "pg2");

            await().until(() -> List.of("pg2", "pg2").equals(homes(context)));
            awaitMoreCalls();
            stopped.set(true);
            for (Future<?> each : work) {
                each.get();
            }
            threads.shutdown();
        }
    }

    private static List<String> homes(ConfigurableApplicationContext context) {
        return Stream.of(0, 1)
                .map(context.getBean(CurrentShardMap.class).get()::databaseOf)
                .toList();
    }

    private void call(UserRepository users) {
        while (!stopped.get()) {
            int call = calls.incrementAndGet();
            User saved = ShardContext.call(call % 8, () -> users.save(new User("rotated")));
            assertThat(users.findById(saved.id())).isPresent();
        }
    }

    private void awaitMoreCalls() {
        int before = calls.get();
        await().until(() -> calls.get() > before + 50);
    }

    private static ConfiguredCluster cluster(ConfigurableApplicationContext context) {
        return ConfiguredCluster.of(context.getEnvironment()).with(ConnectionBeans.of(context));
    }

    /** As pools do at the end of the life of a connection. */
    private static void awaitNoSession(TestDatabase database, List<ShardedDatabases> all) {
        String sessions = " FROM pg_stat_activity WHERE usename = 'rotated_1' AND datname = current_database()";
        // What listens is in use for good: its last query was LISTEN or, once it was checked, empty. No pool has an
        // idle one any longer.
        String listens = " AND (query LIKE 'LISTEN%'"
                + " OR query = '' AND state = 'idle' AND state_change < now() - interval '1 second')";
        await().untilAsserted(() -> {
            all.stream()
                    .flatMap(each -> Stream.of(each.byName(), each.readPools(), each.forMap()))
                    .flatMap(each -> each.values().stream())
                    .forEach(RotatedCredentialsIntegrationTests::evict);
            database.query("SELECT pg_terminate_backend(pid)" + sessions + listens);
            assertThat(database.query("SELECT concat_ws(' ', application_name, state, query)" + sessions))
                    .isEmpty();
        });
    }

    private static void evict(DataSource source) {
        if (((HikariDataSource) source).getHikariPoolMXBean() != null) {
            ((HikariDataSource) source).getHikariPoolMXBean().softEvictConnections();
        }
    }

    private ConfigurableApplicationContext start() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg2",
                "sharded-id.databases.pg1.shards", "0-3",
                "sharded-id.databases.pg2.shards", "4-7"));
        ShardedConnectionDetails vault = name -> new ShardedConnectionDetails.Connection(
                java.util.Objects.requireNonNull(databases.get(name)).url(), user.get(), "pw of " + user.get());
        return new SpringApplicationBuilder(PhotoSharing.class)
                .properties(properties)
                .initializers(context ->
                        ((GenericApplicationContext) context).registerBean(ShardedConnectionDetails.class, () -> vault))
                .run();
    }

    /** Two that log in and act as a third one, which owns what they create. */
    private static void createRoles(TestDatabase database) throws IOException {
        database.execute(
                "DROP ROLE IF EXISTS rotated_1; DROP ROLE IF EXISTS rotated_2; DO $$ BEGIN CREATE ROLE rotated_owner LOGIN REPLICATION;"
                        + " EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
                        + " GRANT pg_create_subscription, pg_signal_backend TO rotated_owner;"
                        + " GRANT CREATE ON DATABASE " + database.name() + " TO rotated_owner");
        StringBuilder lines = new StringBuilder();
        for (String role : List.of("rotated_1", "rotated_2")) {
            database.execute("CREATE ROLE " + role + " LOGIN REPLICATION PASSWORD 'pw of " + role
                    + "' IN ROLE rotated_owner; ALTER ROLE " + role + " SET role = rotated_owner");
            lines.append("host all ").append(role).append(" all scram-sha-256\n");
        }
        Path file = Path.of(database.query("SHOW hba_file").get(0));
        Files.writeString(file, lines + Files.readString(file));
        database.query("SELECT pg_reload_conf()");
    }
}
