package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.OwnThread;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * After a change to 0 nodes no function makes an id of a timestamp in which a JVM may have made one, whatever the clock shows,
 * whatever the sequence holds, and whichever version of the functions a caller has.
 */
class FunctionsAfterChangeIntegrationTests {
    private static final IdLayout WHOLE = IdLayout.DEFAULT.withJvmNodes(0);
    private static final String USED = "'shard_0000.photo_id_seq'";

    private final NodesCluster cluster = NodesCluster.of(32);
    private final TestDatabase database = cluster.home(0);
    private long earliest;

    /** The sequence has room left in the generation of an id from before; the clock is behind afterwards. */
    @BeforeEach
    void changeToNone() {
        cluster.installClockSeam();
        database.query("SELECT shard_0000.next_id(" + USED + ")");
        cluster.lease(0, 32, 1000);
        cluster.changeOnClockSeam(0, cluster.databases().sources());
        earliest = cluster.earliest(0);
        cluster.setClock(Duration.ofHours(-1));
        database.execute("CREATE SEQUENCE shard_0000.fresh MINVALUE 0");
    }

    @Test
    void idsAreNotOfAnEarlierTimestamp() {
        long before = WHOLE.encode(earliest - 2, 0, 700);
        for (String sequence : List.of(USED, "'shard_0000.fresh'")) {
            for (String call : List.of(
                    "next_id(" + sequence + ")",
                    "next_ids(" + sequence + ", 20)",
                    "next_ids(" + sequence + ", 3000)",
                    "next_ids_after(" + sequence + ", 5, " + before + ")")) {
                assertThat(database.query("SELECT shard_0000." + call)).as(call).allSatisfy(id -> assertThat(
                                timestamp(Long.parseLong(id)))
                        .isGreaterThanOrEqualTo(earliest));
            }
        }
    }

    @Test
    void aBlockHasAsManyIdsOfATimestampAsTheDatabaseMakesNow() {
        List<String> block = database.query("SELECT unnest(sharded_id.next_id_block(" + USED + ", 0, 3000))");

        assertThat(timestamp(Long.parseLong(block.get(0)))).isGreaterThanOrEqualTo(earliest);
        assertThat(Integer.parseInt(block.get(1))).isEqualTo(WHOLE.databaseSequences());
    }

    @Test
    void aCallThatDoesNotWaitForTheLockUsesNoRoomOfAnEarlierGeneration() throws Exception {
        try (Connection connection = database.connect();
                Statement hopping = connection.createStatement()) {
            String lock = database.query(
                            "SELECT sharded_id.lock_number(" + USED + ", pg_sequence_last_value(" + USED + ") >> 23)")
                    .get(0);
            hopping.execute("SELECT pg_advisory_lock(" + lock + ")");
            CompletableFuture<Long> id =
                    OwnThread.supply(() -> database.queryLong("SELECT shard_0000.next_id(" + USED + ")"));
            await().until(() -> id.isDone()
                    || database.queryLong("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                                    + " AND datname = current_database()")
                            == 1);
            hopping.execute("SELECT pg_advisory_unlock(" + lock + ")");
            assertThat(timestamp(id.get())).isGreaterThanOrEqualTo(earliest);
        }
    }

    /** An older next_ids() that was called before the change, and meets a newer hop(), makes 512 ids of each generation. */
    @Test
    void anOlderCallerMakesNoIdBeyondWhatIsReservedForIt() throws SQLException {
        long first = database.queryLong("SELECT sharded_id.hop(" + USED + ", 0, 2000, 512)");
        long next = database.queryLong("SELECT shard_0000.next_id(" + USED + ")");

        assertThat(next).isGreaterThan(WHOLE.encode(first + 1999 / 512, 0, 1999 % 512));
    }

    private static long timestamp(long id) {
        return WHOLE.timestampOf(WHOLE.decode(id).instant());
    }
}
