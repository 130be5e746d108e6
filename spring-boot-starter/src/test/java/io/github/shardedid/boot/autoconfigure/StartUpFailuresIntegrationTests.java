package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A start on databases that are not as configured fails with a word of what is wrong and what to do. */
class StartUpFailuresIntegrationTests {
    private final TestDatabase one = PostgresServers.shared(1).newDatabase();
    private final TestDatabase two = PostgresServers.shared(2).newDatabase();

    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
            .withPropertyValues("sharded-id.shards=4");
    private final ApplicationContextRunner runner = with(with(empty, "pg1", one, "0-1"), "pg2", two, "2-3");

    private static ApplicationContextRunner with(
            ApplicationContextRunner runner, String name, TestDatabase database, String shards) {
        return runner.withPropertyValues(DatabaseProperties.of(name, database).toArray(String[]::new))
                .withPropertyValues("sharded-id.databases." + name + ".shards=" + shards);
    }

    private static void starts(ApplicationContextRunner runner) {
        runner.run(context -> assertThat(context).hasNotFailed().hasSingleBean(RoutingDataSource.class));
    }

    /** Runs and expects an exception whose analysis says some words, in the description or the action. */
    private static void fails(ApplicationContextRunner runner, Reason reason, String... words) {
        fails(
                runner,
                cause -> assertThat(cause)
                        .isInstanceOf(ProvisioningException.class)
                        .hasFieldOrPropertyWithValue("reason", reason),
                words);
    }

    private static void fails(
            ApplicationContextRunner runner, ClusterConfigurationException.Reason reason, String... words) {
        fails(
                runner,
                cause -> assertThat(cause)
                        .isInstanceOf(ClusterConfigurationException.class)
                        .hasFieldOrPropertyWithValue("reason", reason),
                words);
    }

    private static void fails(ApplicationContextRunner runner, Consumer<Throwable> expected, String... words) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Analyses.of(requireNonNull(context.getStartupFailure()));
            expected.accept(analysis.getCause());
            assertThat(analysis.getDescription() + " | " + analysis.getAction()).contains(words);
        });
    }

    @Test
    @Tag("quick")
    void whenRangesOverlap() {
        fails(
                runner.withPropertyValues("sharded-id.databases.pg2.shards=1-3"),
                ClusterConfigurationException.Reason.SHARD_RANGES,
                "pg2",
                "sharded-id.databases.<name>.shards");
    }

    @Test
    @Tag("quick")
    void whenRangesLeaveShardsOut() {
        fails(
                runner.withPropertyValues("sharded-id.databases.pg2.shards=2"),
                ClusterConfigurationException.Reason.SHARD_RANGES,
                "3");
    }

    @Test
    void whenRangesOverlapThatNoLongerCount() {
        starts(runner);
        starts(runner.withPropertyValues("sharded-id.databases.pg2.shards=0-3"));
    }

    @Test
    void whenTheDatabasesAreOfTwoClusters() {
        starts(with(empty, "pg1", one, "0-3"));
        starts(with(empty, "pg2", two, "0-3"));
        fails(runner, Reason.WRONG_DATABASE, "pg1", "pg2", "url");
    }

    @Test
    void whenTheLayoutDiffers() {
        starts(runner);
        fails(
                runner.withPropertyValues("sharded-id.epoch=2024-01-01T00:00:00Z"),
                Reason.LAYOUT_MISMATCH,
                "epoch",
                "2024-01-01",
                "2011-08-24");
        fails(runner.withPropertyValues("sharded-id.shards=3"), Reason.LAYOUT_MISMATCH, "shards is 4");
        fails(runner.withPropertyValues("sharded-id.jvm-nodes=32"), Reason.LAYOUT_MISMATCH, "jvm-nodes");
    }

    @Test
    void whenTheEpochIsInTheFutureAndTheDatabasesAreStillEmpty() {
        fails(
                runner.withPropertyValues("sharded-id.epoch=2999-01-01T00:00:00Z"),
                ClusterConfigurationException.Reason.FUTURE_EPOCH,
                "2999-01-01");
        assertThat(one.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                .isEmpty();
        starts(runner.withPropertyValues("sharded-id.epoch=2024-01-01T00:00:00Z"));
    }

    @Test
    void whenAFunctionIsMissing() {
        starts(runner);
        two.query("SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'sharded_id'::regnamespace"
                        + " AND proname = 'next_ids'")
                .forEach(function -> two.execute("DROP ROUTINE " + function + " CASCADE"));
        fails(runner, Reason.DAMAGED_DATABASE, "pg2", "missing");
    }

    @Test
    @Tag("quick")
    void whenADatabaseOfANewClusterIsDown() {
        fails(
                runner.withPropertyValues(
                        "sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/none",
                        "sharded-id.databases.pg2.hikari.connection-timeout=250"),
                Reason.UNREACHABLE_DATABASE,
                "pg2",
                "Start the databases");
    }

    @Test
    @Tag("quick")
    void whenTwoNamesLeadToOneDatabase() {
        fails(with(runner, "pg2", one, "2-3"), Reason.WRONG_DATABASE, "pg1", "pg2");
    }

    @Test
    @Tag("quick")
    void whenThereAreNoMigrations() {
        fails(
                runner.withPropertyValues("sharded-id.migrations=classpath:db/nowhere"),
                Reason.FAILED_MIGRATION,
                "db/nowhere");
    }

    @Test
    void withoutProvisioningUntilEverythingIsThere() {
        ApplicationContextRunner checking = runner.withPropertyValues("sharded-id.provisioning.enabled=false");
        fails(checking, Reason.UNPROVISIONED, "pg1", "pg2");
        assertThat(one.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                .isEmpty();

        starts(runner);
        starts(checking);
        one.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard\\_0%'")
                .forEach(schema -> one.execute("DELETE FROM " + schema + ".flyway_schema_history"));
        one.execute("UPDATE sharded_id.shard SET migrations = 'older'");
        fails(checking, Reason.UNPROVISIONED, "migrations missing [pg1]");
    }

    @Test
    @Tag("quick")
    void passwordsAreNotInTheLogsOrMessages() {
        Consumer<String> clean = text -> assertThat(text).doesNotContain("s3cret");
        runner.withPropertyValues(
                        "sharded-id.databases.pg2.password=s3cret",
                        "sharded-id.databases.pg2.username=nobody",
                        "sharded-id.databases.pg2.hikari.connection-timeout=250")
                .run(context -> {
                    assertThat(context).hasFailed();
                    for (Throwable cause = context.getStartupFailure(); cause != null; cause = cause.getCause()) {
                        clean.accept(String.valueOf(cause.getMessage()));
                    }
                });
    }
}
