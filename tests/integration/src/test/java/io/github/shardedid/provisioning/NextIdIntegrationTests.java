package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("containers")
class NextIdIntegrationTests {
    private static final int SESSIONS = 8;
    private static final int PER_SESSION = 20_000;

    static Stream<IdLayout> layouts() {
        return Stream.of(
                IdLayout.DEFAULT,
                IdLayout.DEFAULT.withJvmNodes(0),
                new IdLayout(Instant.now().truncatedTo(ChronoUnit.DAYS), TimestampUnit.SECONDS, 25, 2, 5, 2),
                new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.MILLISECONDS, 45, 13, 6, 2));
    }

    private static TestDatabase provisioned(IdLayout layout) {
        return TestCluster.provisioned(layout, 4, "0-3").database("pg1");
    }

    @ParameterizedTest
    @MethodSource("layouts")
    @Tag("quick")
    void manyBusySessionsNeverGetAnIdTwiceAndEachSeesItsIdsGrow(IdLayout layout) throws Exception {
        TestDatabase database = provisioned(layout);
        int count = layout.bits() == 32 ? PER_SESSION / 10 : PER_SESSION;

        List<List<Long>> ids = storm(() -> ids(
                database,
                "SELECT shard_0003.next_id('shard_0003.photo_id_seq') FROM generate_series(1, " + count + ")"));

        Set<Long> all = new HashSet<>();
        ids.forEach(session -> {
            assertThat(session).hasSize(count).isSorted().doesNotHaveDuplicates();
            all.addAll(session);
        });
        assertThat(all).hasSize(SESSIONS * count);
        all.forEach(id -> {
            assertThat(layout.shardOf(id)).isEqualTo(3);
            assertThat(layout.decode(id).sequence()).isLessThan(layout.databaseSequences());
        });
    }

    private static List<List<Long>> storm(Callable<List<Long>> session) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try {
            List<List<Long>> ids = new ArrayList<>();
            for (Future<List<Long>> one : threads.invokeAll(java.util.Collections.nCopies(SESSIONS, session))) {
                ids.add(one.get());
            }
            return ids;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Long> ids(TestDatabase database, String sql) {
        return database.query(sql).stream().map(Long::valueOf).toList();
    }

    @Test
    @Tag("quick")
    void sessionsThatMixSingleIdsAndReservationsNeverOverlap() throws Exception {
        TestDatabase database = provisioned(IdLayout.DEFAULT);

        List<List<Long>> ids = storm(() -> {
            List<Long> own = new ArrayList<>();
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                for (int i = 0; i < 200; i++) {
                    int n = i % 3 == 0 ? 1 : i % 7 * 100 + 5;
                    try (ResultSet rows = statement.executeQuery(
                            "SELECT i FROM shard_0001.next_ids('shard_0001.photo_id_seq', " + n + ") i")) {
                        while (rows.next()) {
                            own.add(rows.getLong(1));
                        }
                    }
                }
            }
            return own;
        });

        List<Long> all = ids.stream().flatMap(List::stream).toList();
        assertThat(new HashSet<>(all)).hasSameSizeAs(all);
        ids.forEach(session -> assertThat(session).isSorted());
        all.forEach(id -> assertThat(IdLayout.DEFAULT.shardOf(id)).isEqualTo(1));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void reservedRangesHoldAsManyIdsAsAskedFor(IdLayout layout) {
        TestDatabase database = provisioned(layout);
        for (int n : new int[] {1, 2, 64, 65, 511, 512, 513, 1023, 1024, 1025, 5000}) {
            List<Long> ids = ids(database, "SELECT i FROM shard_0002.next_ids('shard_0002.photo_id_seq', " + n + ") i");
            assertThat(ids).hasSize(n).isSorted().doesNotHaveDuplicates();
            ids.forEach(id -> assertThat(layout.decode(id).node()).isEmpty());
            assertThat(database.queryLong("SELECT shard_0002.next_id('shard_0002.photo_id_seq')"))
                    .isGreaterThan(ids.get(n - 1));
        }
        assertThatThrownBy(() -> database.query("SELECT shard_0002.next_ids('shard_0002.photo_id_seq', 0)"))
                .hasStackTraceContaining("1 to 100000000");
    }

    /** A change of jvm-nodes replaces functions while calls are in progress. */
    @Test
    void reservedIdsAreDistributedByTheFunctionThatReservesThem() throws SQLException {
        TestDatabase database = provisioned(IdLayout.DEFAULT);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE OR REPLACE FUNCTION sharded_id.ids_of(first bigint, shard int, n int)"
                    + " RETURNS SETOF bigint LANGUAGE sql IMMUTABLE AS 'SELECT NULL::bigint'");
            try (ResultSet row = statement.executeQuery(
                    "SELECT count(DISTINCT i)" + " FROM shard_0002.next_ids('shard_0002.photo_id_seq', 2000) i")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isEqualTo(2000);
            }
            connection.rollback();
        }
    }

    @Test
    @Tag("quick")
    void oneStatementMayInsertFarMoreRowsThanAMillisecondHasIds() {
        TestDatabase database = provisioned(IdLayout.DEFAULT);

        database.execute("INSERT INTO shard_0003.photo (caption) SELECT 'x' FROM generate_series(1, 50000)");

        assertThat(database.queryLong(
                        "SELECT count(DISTINCT id) FROM shard_0003.photo WHERE sharded_id.shard_of(id) = 3"))
                .isEqualTo(50_000);
    }

    @Test
    @Tag("quick")
    void theWrapperIsInlined() {
        TestDatabase database = provisioned(IdLayout.DEFAULT);

        assertThat(database.query("EXPLAIN VERBOSE SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                .anyMatch(line -> line.contains("sharded_id.next_id(") && line.contains(", 3)"))
                .noneMatch(line -> line.contains("shard_0003.next_id"));
        assertThat(database.query("EXPLAIN VERBOSE INSERT INTO shard_0003.photo (caption) VALUES ('x')"))
                .anyMatch(line -> line.contains("sharded_id.next_id("));
    }

    @Test
    @Tag("quick")
    void aSequenceFarAheadOfTheClockOrInAnotherShardsWindowStillYieldsIdsOfItsOwnShard() {
        TestDatabase database = provisioned(IdLayout.DEFAULT);
        long ahead = IdLayout.DEFAULT.encode(IdLayout.DEFAULT.timestampOf(Instant.now()) + 3_600_000, 7, 3);
        database.query("SELECT setval('shard_0003.photo_id_seq', " + ahead + ")");

        List<Long> ids =
                ids(database, "SELECT shard_0003.next_id('shard_0003.photo_id_seq') FROM generate_series(1,3)");

        assertThat(ids).isSorted().allMatch(id -> id > ahead && IdLayout.DEFAULT.shardOf(id) == 3);
    }

    @Test
    void idsAreRefusedPastTheLastTimestamp() {
        for (IdLayout layout : layouts().toList()) {
            TestDatabase database = provisioned(layout);
            long last = layout.encode(layout.maxTimestamp(), 3, layout.databaseSequences() - 2);
            database.query("SELECT setval('shard_0003.photo_id_seq', " + last + ")");

            assertThat(database.queryLong("SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                    .isEqualTo(last + 1);
            for (String call :
                    List.of("next_id('shard_0003.photo_id_seq')", "next_ids('shard_0003.photo_id_seq', 65)")) {
                assertThatThrownBy(() -> database.query("SELECT shard_0003." + call))
                        .cause()
                        .hasMessageContaining("No id can be made for shard 3")
                        .extracting(cause -> ((SQLException) cause).getSQLState())
                        .isEqualTo("22003");
            }
        }
    }

    @Test
    @Tag("quick")
    void idsAreRefusedWhileTheClockIsBeforeTheEpoch() {
        TestDatabase database = provisioned(IdLayout.DEFAULT.withEpoch(
                Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS)));

        assertThatThrownBy(() -> database.query("SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                .hasStackTraceContaining("No id can be made for shard 3");
        assertThat(database.query("SELECT pg_sequence_last_value('shard_0003.photo_id_seq')"))
                .containsExactly("null");
    }

    @Test
    @Tag("quick")
    void aShardThatTheLayoutDoesNotHaveGetsNoId() {
        TestDatabase database = provisioned(IdLayout.DEFAULT);
        for (String shard : List.of("-1", "8192", "NULL")) {
            assertThatThrownBy(() ->
                            database.query("SELECT sharded_id.next_id('shard_0003.photo_id_seq', " + shard + "::int)"))
                    .hasStackTraceContaining("This cluster has no shard");
        }
        assertThat(database.query("SELECT pg_sequence_last_value('shard_0003.photo_id_seq')"))
                .containsExactly("null");
    }

    @Test
    @Tag("quick")
    void aUserWhoMayNotReadTheSequenceIsRefusedRatherThanGivenIdsAgain() throws SQLException {
        TestDatabase database = provisioned(IdLayout.DEFAULT);
        String user = "u_" + database.name();
        database.execute("CREATE ROLE " + user + "; GRANT USAGE ON SCHEMA shard_0003 TO " + user
                + "; GRANT UPDATE ON SEQUENCE shard_0003.photo_id_seq TO " + user
                + "; SELECT sharded_id.grant_writing('" + user + "')");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')");
            statement.execute("SET ROLE " + user);
            assertThatThrownBy(() -> statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied");
            statement.execute("RESET ROLE; GRANT USAGE ON SEQUENCE shard_0003.photo_id_seq TO " + user);
            statement.execute("SET ROLE " + user);
            assertThat(statement.execute("SELECT shard_0003.next_id('shard_0003.photo_id_seq')"))
                    .isTrue();
            statement.execute("RESET ROLE; DROP OWNED BY " + user + "; DROP ROLE " + user);
        }
    }

    @Test
    @Tag("quick")
    void argumentsThatWouldTakeASequenceBackAreRefused() {
        TestDatabase database = provisioned(IdLayout.DEFAULT);
        String sequence = "'shard_0003.photo_id_seq'";
        long id = database.queryLong("SELECT shard_0003.next_id(" + sequence + ")");
        for (String odd : List.of("-1000000000, 1", "1000, -1", "0, 512", "1, 0", "NULL, 1", "1, NULL")) {
            assertThatThrownBy(() -> database.query("SELECT sharded_id.hop(" + sequence + ", 3, " + odd + ")"))
                    .as(odd)
                    .hasStackTraceContaining("hop can reserve 1 id or more");
        }
        assertThat(database.queryLong("SELECT last_value FROM shard_0003.photo_id_seq"))
                .isEqualTo(id);
    }

    @Test
    void theSecretOfTheLocksDoesNotChangeEvenForItsOwner() {
        TestDatabase database = provisioned(IdLayout.DEFAULT);
        String secret = "SELECT last_value FROM sharded_id.lock_secret";
        long before = database.queryLong(secret);
        for (String call : List.of(
                "nextval('sharded_id.lock_secret')",
                "sharded_id.next_id('sharded_id.lock_secret', 1)",
                "sharded_id.hop('sharded_id.lock_secret', 1, 1, 512)",
                "count(i) FROM sharded_id.next_ids('sharded_id.lock_secret', 1, 1000) i")) {
            assertThatThrownBy(() -> database.query("SELECT " + call)).as(call).isInstanceOf(Exception.class);
        }
        assertThat(database.queryLong(secret)).isEqualTo(before);
    }
}
