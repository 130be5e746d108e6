package io.github.shardedid.hibernate.keyrows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.keyrows.Club.Member;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that erases a member is killed with SIGKILL in the middle, again and again, and another one erases the rest. */
@Tag("attack")
@Tag("embedded-only")
class KeyRowsKilledIntegrationTests {
    private static final int KILLS = Boolean.getBoolean("sharded-id.test.longer") ? 10 : 2;
    private static final int REPLIES = 60_000;
    private static final int SHARD = 2;
    private static final String WAITING =
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, "classpath:db/keyrows");
    private final TestDatabase home = databases.home(SHARD);

    @AfterEach
    void close() {
        databases.close();
    }

    private long repliesOf(String whose) {
        return home.queryLong("SELECT count(*) FROM shard_0002.reply WHERE whose = '" + whose + "'");
    }

    @Test
    void theRestIsErasedByTheNextAndNothingOfOthers(@TempDir Path directory) throws Exception {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        long ada = KeyRowsIntegrationTests.store(databases, "ada", REPLIES);
        KeyRowsIntegrationTests.store(databases, "bob", 100);
        var others = KeyRowsIntegrationTests.rowsOf(databases, "bob");
        for (int kill = 0; kill < KILLS; kill++) {
            killAtAReply(ada, random, directory);
            assertThat(repliesOf("ada")).as("seed " + seed).isBetween(1L, (long) REPLIES);
        }
        long left = KeyRowsIntegrationTests.rowsOf(databases, "ada").values().stream()
                .mapToLong(List::size)
                .sum();

        try (SessionFactory sessions = KeyRowsIntegrationTests.sessions(databases.dataSource(), columns -> {})) {
            Report erased = KeyRows.of(sessions).orElseThrow().erase(Member.class, ada);
            assertThat(erased.rows()).as("seed " + seed).isEqualTo(left);
            assertThat(erased.left()).isZero();
        }
        assertThat(KeyRowsIntegrationTests.rowsOf(databases, "ada")).isEmpty();
        assertThat(KeyRowsIntegrationTests.rowsOf(databases, "bob")).isEqualTo(others);
    }

    /** The process waits for a row that is locked, so that it is in the middle whatever the machine. Its batch may be stored later. */
    private void killAtAReply(long member, Random random, Path directory)
            throws IOException, InterruptedException, SQLException {
        String beginning = " FROM shard_0002.reply WHERE whose = 'ada' AND parent_id IS NULL";
        long beginnings = home.queryLong("SELECT count(*)" + beginning);
        long reply = home.queryLong(
                "SELECT id" + beginning + " ORDER BY id LIMIT 1 OFFSET " + random.nextInt((int) beginnings / 2));
        try (Connection connection = home.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT FROM shard_0002.reply WHERE id = " + reply + " FOR UPDATE");
            Process process = EraserProcess.start(databases, member, directory);
            try {
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> !home.query(WAITING).isEmpty() || !process.isAlive());
                assertThat(process.isAlive())
                        .as(Files.readString(directory.resolve("log")))
                        .isTrue();
            } finally {
                process.destroyForcibly().waitFor();
            }
            connection.rollback();
        }
        await().until(() -> home.query(WAITING).isEmpty());
        await().until(() -> home.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND state = 'active' AND query LIKE 'DELETE%'")
                .isEmpty());
    }

    @Test
    @Tag("slow")
    void aMillionRowsNeedAHeapOf64Megabytes(@TempDir Path directory) throws Exception {
        long ada = KeyRowsIntegrationTests.store(databases, "ada", 1_000_000);
        KeyRowsIntegrationTests.store(databases, "bob", 1000);
        home.execute("ANALYZE");
        var others = KeyRowsIntegrationTests.rowsOf(databases, "bob");
        Process process = EraserProcess.start(databases, ada, directory);
        String log = directory.resolve("log").toString();
        assertThat(process.waitFor()).as(log).isZero();
        System.out.println(Files.readString(Path.of(log)));
        assertThat(Files.readString(Path.of(log))).contains("exported 1,000,016 rows", "erased 1,000,016 rows, 0 left");
        assertThat(repliesOf("ada")).isZero();
        assertThat(KeyRowsIntegrationTests.rowsOf(databases, "bob")).isEqualTo(others);
    }
}
