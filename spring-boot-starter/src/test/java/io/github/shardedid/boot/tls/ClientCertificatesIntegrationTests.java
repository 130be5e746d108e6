package io.github.shardedid.boot.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.app.PhotoSharing;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.boot.app.UserRepository;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.startup.CommandProcess;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCertificates;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Connections of all kinds are encrypted and verified, and have client certificates. No role is a superuser. */
@Tag("slow")
@Tag("embedded-only")
@Tag("since-16") // The role pg_create_subscription is needed.
@EnabledIf(value = "opensslIsInstalled", disabledReason = "openssl, which makes the certificates, is not installed")
@ExtendWith(OutputCaptureExtension.class)
class ClientCertificatesIntegrationTests {
    @TempDir
    Path directory;

    private TlsCluster cluster;

    static boolean opensslIsInstalled() {
        return TestCertificates.areAvailable();
    }

    @BeforeEach
    void start() {
        cluster = new TlsCluster(directory);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private ConfigurableApplicationContext run(Map<String, Object> properties) {
        return new SpringApplicationBuilder(PhotoSharing.class)
                .properties(properties)
                .run();
    }

    private static ConfiguredCluster configured(ConfigurableApplicationContext context) {
        return ConfiguredCluster.of(context.getEnvironment());
    }

    private static ShardMover mover(ConfigurableApplicationContext context, ShardedDatabases pools) {
        return configured(context).mover(pools, context.getBean(ShardMigrations.class), List.of());
    }

    @Test
    void everythingRunsOverThem(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext context = run(cluster.properties());
                ShardedDatabases pools = configured(context).openPools()) {
            UserRepository users = context.getBean(UserRepository.class);
            List<User> saved = List.of(0, 1, 5).stream()
                    .map(shard -> ShardContext.call(shard, () -> users.save(new User("encrypted"))))
                    .toList();
            ShardMover mover = mover(context, pools);
            assertThat(mover.check(0, "pg2")).isEmpty();

            mover.move(0, "pg2");
            mover.moveOffline(1, "pg2");
            mover.move(5, "pg1");

            CurrentShardMap map = context.getBean(CurrentShardMap.class);
            await().until(() -> map.get().databaseOf(0).equals("pg2")
                    && map.get().databaseOf(1).equals("pg2")
                    && map.get().databaseOf(5).equals("pg1"));
            saved.forEach(user -> assertThat(users.findById(user.id())).isPresent());
            for (TestDatabase database : cluster.databases) {
                assertThat(database.query("SELECT DISTINCT s.ssl || ' ' || s.client_dn FROM pg_stat_ssl s"
                                + " JOIN pg_stat_activity a USING (pid) WHERE a.usename = '" + TlsCluster.APP + "'"))
                        .containsExactly("true /CN=" + TlsCluster.APP);
            }
        }
        assertThat(cluster.logs()).contains("sharded_id_move_").doesNotContain("S3cret");
        assertThat(output).doesNotContain("S3cret");
    }

    /** The servers know no other name of each other than localhost, and no other authority. */
    @Test
    void aServerIsVerifiedByTheOtherServer() throws Exception {
        String prefix = "sharded-id.databases.pg1.replication.";
        List<Map.Entry<String, String>> wrong = List.of(
                Map.entry(prefix + "host", "127.0.0.1"),
                Map.entry(
                        prefix + "parameters.sslrootcert",
                        cluster.rogue.file("ca.crt").toString()),
                Map.entry(
                        prefix + "parameters.sslcert",
                        cluster.trusted.file(TlsCluster.APP + ".crt").toString()));
        run(cluster.properties()).close();
        for (Map.Entry<String, String> each : wrong) {
            Map<String, Object> properties = cluster.properties();
            properties.put(each.getKey(), each.getValue());
            StandardEnvironment environment = new StandardEnvironment();
            environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
            ConfiguredCluster configured = ConfiguredCluster.of(environment);
            try (ShardedDatabases pools = configured.openPools()) {
                ShardMover mover =
                        configured.mover(pools, configured.migrations(getClass().getClassLoader()), List.of());
                assertThat(mover.check(0, "pg2"))
                        .singleElement()
                        .asString()
                        .contains(
                                "does not reach the source as tls_replication@", "(sslmode verify-full)", "certificate")
                        .doesNotContain("S3cret");
                assertThatThrownBy(() -> mover.move(0, "pg2")).isInstanceOf(MoveRefusedException.class);
            }
        }
        assertThat(cluster.logs()).doesNotContain("S3cret");
    }

    @Test
    void aServerWithAnotherCertificateIsRefusedByAll(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext context = run(cluster.properties())) {
            UserRepository users = context.getBean(UserRepository.class);
            long id = ShardContext.call(0, () -> users.save(new User("encrypted")))
                    .id();
            cluster.presentRogueCertificates();
            await().untilAsserted(() -> {
                // Also those that were opened just before.
                cluster.databases.forEach(
                        database -> database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE usename = '" + TlsCluster.APP + "'"));
                assertThatThrownBy(() -> users.findById(id)).hasStackTraceContaining("PKIX path");
            });
            // The reason is logged once, and may be that the session before was ended.
            for (String name : List.of("pg1", "pg2")) {
                String refused = "Not listening for changes of the shard map on database " + name;
                await().until(() -> output.getOut().contains(refused));
            }
            await().untilAsserted(() -> cluster.databases.forEach(database -> assertThat(database.queryLong(
                            "SELECT count(*) FROM pg_stat_activity WHERE usename = '" + TlsCluster.APP + "'"))
                    .isZero()));
            try (ShardedDatabases pools = configured(context).openPools()) {
                assertThat(mover(context, pools).check(0, "pg2")).asString().contains("PKIX path");
                assertThatThrownBy(() -> mover(context, pools).move(0, "pg2")).hasStackTraceContaining("PKIX path");
                assertThatThrownBy(() -> configured(context)
                                .provisioner(pools, context.getBean(ShardMigrations.class))
                                .provision())
                        .hasStackTraceContaining("PKIX path");
            }
        }
        List<String> arguments = new ArrayList<>();
        cluster.properties().forEach((name, value) -> {
            if (name.startsWith("sharded-id")) {
                arguments.add(name + "=" + value);
            }
        });
        CommandProcess.Ended command = CommandProcess.run(arguments, "--sharded-id.check-move=0:pg2");
        assertThat(command.code()).as(command.output()).isEqualTo(1);
        assertThat(command.output()).contains("PKIX path").doesNotContain("S3cret");
        assertThat(output).doesNotContain("S3cret");
    }
}
