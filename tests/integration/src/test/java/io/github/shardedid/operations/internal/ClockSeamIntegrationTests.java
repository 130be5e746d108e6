package io.github.shardedid.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The functions with another clock put in: one that a test sets, steps back, or lets jump at random. */
class ClockSeamIntegrationTests {
    private static final int SESSIONS = 8;
    private static final int PER_SESSION = 20_000;

    private final TestDatabase database = PostgresServers.shared(1).newDatabase();

    @BeforeEach
    void installWithATestsClock() {
        database.execute("CREATE SCHEMA sharded_id; CREATE FUNCTION sharded_id.clock() RETURNS timestamptz LANGUAGE sql"
                + " VOLATILE AS $$ SELECT current_setting('test.clock')::timestamptz $$;"
                + FunctionSql.metaSchema()
                + FunctionSql.functions(IdLayout.DEFAULT, 2000, "sharded_id.clock()")
                + FunctionSql.shardSchema(5)
                + "; CREATE SEQUENCE s MINVALUE 0");
    }

    @Test
    void theVectorComesOutAtItsInstantAndAClockSteppingBackChangesNothing() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            long published = 1387263000L;
            set(statement, published);
            long first = one(statement);
            assertThat(first).isEqualTo(IdLayout.DEFAULT.encode(published, 5, 0));
            set(statement, published - 3_600_000);
            for (int i = 1; i <= 1000; i++) {
                assertThat(one(statement)).isEqualTo(IdLayout.DEFAULT.encode(published + i / 512, 5, i % 512));
            }
            set(statement, published + 1);
            assertThat(one(statement)).isEqualTo(IdLayout.DEFAULT.encode(published + 1, 5, 489));
            set(statement, published + 100);
            assertThat(one(statement)).isEqualTo(IdLayout.DEFAULT.encode(published + 100, 5, 0));
        }
    }

    @Test
    void theLastMillisecondOfTheEpochIsUsedAndNoneBeyond() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            set(statement, (1L << 40) - 1);
            assertThat(one(statement)).isEqualTo(IdLayout.DEFAULT.encode((1L << 40) - 1, 5, 0));
            set(statement, 1L << 40);
            assertThatThrownBy(() -> one(statement)).hasMessageContaining("No id can be made for shard 5");
            set(statement, -1);
            assertThatThrownBy(() -> statement.execute("CREATE TEMP SEQUENCE t MINVALUE -9223372036854775808 START 0;"
                            + " SELECT shard_0005.next_id('t')"))
                    .hasMessageContaining("No id can be made for shard 5");
        }
    }

    @Test
    void sessionsWhoseClocksJumpNeverGetAnIdTwice() throws Exception {
        jumpingClock();

        List<Long> ids = storm("shard_0005.next_id('s')");

        assertThat(ids).hasSize(SESSIONS * PER_SESSION);
        assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
    }

    /** Shows that the storm above is one: the published function, which ours replaces, does not survive it. */
    @Test
    void thePublishedFunctionRepeatsIdsInTheSameStorm() throws Exception {
        jumpingClock();
        database.execute(
                """
                CREATE FUNCTION published() RETURNS bigint LANGUAGE sql VOLATILE AS
                $$ SELECT (floor(extract(epoch FROM sharded_id.clock()) * 1000)::bigint - 1314220021721) << 23
                   | (5 << 10) | (nextval('s') % 1024) $$
                """);

        List<Long> ids = storm("published()");

        assertThat(new HashSet<>(ids)).hasSizeLessThan(ids.size());
    }

    private void jumpingClock() {
        database.execute("CREATE OR REPLACE FUNCTION sharded_id.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS"
                + " $$ SELECT clock_timestamp() - CASE WHEN random() < 0.3 THEN random() * interval '20 ms'"
                + " ELSE interval '0' END $$");
    }

    private List<Long> storm(String call) throws Exception {
        Callable<List<String>> session =
                () -> database.query("SELECT " + call + " FROM generate_series(1, " + PER_SESSION + ")");
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try {
            List<Long> ids = new ArrayList<>();
            for (Future<List<String>> one : threads.invokeAll(Collections.nCopies(SESSIONS, session))) {
                one.get().stream().map(Long::valueOf).forEach(ids::add);
            }
            return ids;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void set(Statement statement, long timestamp) throws SQLException {
        statement.execute("SELECT set_config('test.clock', (to_timestamp(0) + (1314220021721 + " + timestamp
                + ") * interval '1 millisecond')::text, false)");
    }

    private static long one(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT shard_0005.next_id('s')")) {
            row.next();
            return row.getLong(1);
        }
    }
}
