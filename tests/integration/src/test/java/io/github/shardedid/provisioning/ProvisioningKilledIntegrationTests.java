package io.github.shardedid.provisioning;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.ClusterRecovery;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed with SIGKILL while its connections make and migrate shards is continued by the next. */
@Tag("attack")
@Tag("embedded-only")
class ProvisioningKilledIntegrationTests {
    private static final String MANY = "classpath:db/provisioning/many";
    private static final String MORE = MANY + ",classpath:db/provisioning/more";
    private static final String CHANGE_LOG = "db/liquibase/good.yaml";
    private static final String MORE_CHANGES = "db/liquibase/later.yaml";
    private static final boolean LONGER = Boolean.getBoolean("sharded-id.test.longer");
    private static final int SHARDS = LONGER ? 400 : 80;
    private static final int KILLS = LONGER ? 20 : 3;

    private static final String UNFINISHED = "SELECT kind FROM sharded_id.run UNION ALL SELECT 'shard ' || shard"
            + " FROM sharded_id.shard WHERE migrations LIKE 'unfinished%'";

    /** What the last script makes: a column and its index. */
    private static final String MIGRATED = "SELECT a.attrelid::regclass FROM pg_attribute a JOIN pg_class i"
            + " ON i.relname = 'photo_likes' AND i.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = a.attrelid)"
            + " WHERE a.attname = 'likes' AND a.attrelid::regclass::text ~ '^shard_[0-9]+\\.photo$'";

    /** Each script of each shard, as often as it has run. */
    private static final String SCRIPTS_RUN =
            "SELECT array_to_string(xpath('//v/text()', query_to_xml(format('SELECT version AS v FROM %I.flyway_schema_history"
                    + " WHERE version IS NOT NULL AND success ORDER BY installed_rank', nspname), true, false, '')), ' ')"
                    + " FROM pg_namespace WHERE nspname ~ '^shard_[0-9]+$'";

    private static final String CHANGES_RUN =
            "SELECT array_to_string(xpath('//v/text()', query_to_xml(format('SELECT id AS v FROM %I.databasechangelog"
                    + " ORDER BY orderexecuted', nspname), true, false, '')), ' ')"
                    + " FROM pg_namespace WHERE nspname ~ '^shard_[0-9]+$'";

    private final TestCluster cluster = new TestCluster(
                    IdLayout.DEFAULT, SHARDS, new TreeMap<>(), new LinkedHashMap<>())
            .with("pg1", PostgresServers.shared(1).newDatabase(), "0-" + (SHARDS / 2 - 1))
            .with("pg2", PostgresServers.shared(2).newDatabase(), SHARDS / 2 + "-" + (SHARDS - 1));

    @Test
    void whatWasDoneStaysAndTheRestIsDoneByTheNext(@TempDir Path directory) throws Exception {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            runAndKill(kill < KILLS / 2 ? MANY : MORE, random.nextInt(SHARDS / 2), directory.resolve("log-" + kill));
        }

        cluster.provision(MORE.split(",", -1));

        DriftReport report =
                cluster.provisioner(cluster.sources(), MORE.split(",", -1)).drift();
        assertThat(report.inOrder()).as("seed " + seed + " " + report.lines()).isTrue();
        assertThat(report.shards()).hasSize(SHARDS).allMatch(shard -> "3".equals(shard.version()));
    }

    /** A change set that had run half, or whole without its row in the history, would fail the second time. */
    @Test
    void soItIsWithChangeLogsOfLiquibase(@TempDir Path directory) throws Exception {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            runAndKill(
                    kill < KILLS / 2 ? CHANGE_LOG : MORE_CHANGES,
                    random.nextInt(SHARDS / 4),
                    directory.resolve("log-" + kill));
        }

        cluster.provision(MORE_CHANGES);

        DriftReport report =
                cluster.provisioner(cluster.sources(), MORE_CHANGES).drift();
        assertThat(report.inOrder()).as("seed " + seed + " " + report.lines()).isTrue();
        assertThat(everywhere(MIGRATED)).hasSize(SHARDS);
        assertThat(everywhere(CHANGES_RUN)).containsOnly("photo for-tests tag caption caption-trigger likes");
    }

    /** The instance is of the release that the killed process has begun to roll out. */
    @Test
    void theRestIsDoneByAnInstanceThatRuns(@TempDir Path directory) throws Exception {
        cluster.provision(MANY);
        Map<String, DataSource> sources = cluster.sources();
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), sources));
        try (ShardMapKeeper keeper = new ShardMapKeeper(map, sources);
                ClusterRecovery recovery = new ClusterRecovery(
                        map,
                        sources,
                        () -> {
                            throw new IllegalStateException("No shard moves.");
                        },
                        cluster.provisioner(sources, MORE.split(",", -1)))) {
            try (Connection stranger = requireNonNull(sources.get("pg2")).getConnection();
                    Statement statement = stranger.createStatement()) {
                stranger.setAutoCommit(false);
                // Lest the process ends before it is killed, or the instance before it is looked at.
                statement.execute("LOCK TABLE " + ShardSchema.nameOf(SHARDS - 1) + ".photo");
                runAndKill(MORE, SHARDS * 5 / 8, directory.resolve("log"));
                assertThat(everywhere(UNFINISHED)).as("killed in the middle").isNotEmpty();
                stranger.rollback();
            }

            await().until(() -> everywhere(UNFINISHED).isEmpty());
        }
        assertThat(everywhere(MIGRATED)).hasSize(SHARDS);
        assertThat(everywhere(SCRIPTS_RUN)).containsOnly("0 1 2 3");
    }

    private List<String> everywhere(String query) {
        List<String> all = new ArrayList<>();
        cluster.databases().values().forEach(database -> all.addAll(database.query(query)));
        return all;
    }

    /** Killed once so many more shards of a database are migrated, unless it has ended before. */
    private void runAndKill(String location, int shards, Path log) throws IOException, InterruptedException {
        List<String> command = JavaCommand.of(
                "-D" + ProvisioningProcess.LOCATION + "=" + location, ProvisioningProcess.class.getName());
        cluster.databases()
                .forEach((name, database) -> command.addAll(List.of(
                        name,
                        database.url(),
                        database.server().username(),
                        database.server().password(),
                        String.valueOf(cluster.ranges().get(name)))));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Set<String> before = done();
            await().until(() -> !process.isAlive() || doneSince(before) >= shards);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Each migrated shard with the version of its row, which is another one after each migration. */
    private Set<String> done() {
        return cluster.databases().values().stream()
                .filter(database -> database.queryLong("SELECT count(to_regclass('sharded_id.shard'))") == 1)
                .flatMap(database -> database
                        .query(
                                "SELECT shard || ' ' || xmin FROM sharded_id.shard WHERE migrations NOT LIKE 'unfinished%'")
                        .stream())
                .collect(Collectors.toSet());
    }

    private long doneSince(Set<String> before) {
        Set<String> now = done();
        now.removeAll(before);
        return now.size();
    }
}
