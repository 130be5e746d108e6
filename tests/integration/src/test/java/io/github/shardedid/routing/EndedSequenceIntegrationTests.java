package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.HandMadeMove;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call for an id that waits for the fence has found its sequence already; when it goes on, the fence has ended that. */
@Tag("quick")
class EndedSequenceIntegrationTests {
    private static final String MIGRATIONS = "classpath:db/moves";
    private static final String SEQUENCE = "shard_0000.photo_id_seq";
    private static final String WAITING =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

    @Test
    void anIdThatWasWaitedForComesFromTheNewHome() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (TestCluster cluster = TestCluster.withoutIdConstraints(IdLayout.DEFAULT, 4, 2, MIGRATIONS);
                Connection routed = cluster.dataSource().getConnection();
                PreparedStatement call = prepare(routed)) {
            TestDatabase source = cluster.home(0);
            HandMadeMove move = HandMadeMove.of(cluster, 0).prepare(MIGRATIONS);
            long last = 0;
            for (int i = 0; i < 10; i++) {
                last = id(call); // prepared by the server, too
            }
            Future<Long> next;
            try (Connection fence = source.connect();
                    Statement statement = fence.createStatement()) {
                fence.setAutoCommit(false);
                statement.execute("ALTER SEQUENCE " + SEQUENCE + " OWNER TO CURRENT_USER");
                next = thread.submit(() -> id(call));
                Awaitility.await().until(() -> source.queryLong(WAITING) == 1);
                statement.execute(
                        "DO $$ BEGIN EXECUTE 'ALTER SEQUENCE " + SEQUENCE + " MAXVALUE ' || (SELECT last_value FROM "
                                + SEQUENCE + "); END $$; ALTER SCHEMA shard_0000 RENAME TO shard_0000_fenced_1;"
                                + " UPDATE sharded_id.shard SET state = 'FENCED' WHERE shard = 0");
                fence.commit();
            }
            move.copy().switchOver().moved();

            assertThat(next.get()).isGreaterThan(last);
            assertThat(cluster.home(0)).as("the new home").isNotEqualTo(source);
        } finally {
            thread.shutdownNow();
        }
    }

    private static PreparedStatement prepare(Connection connection) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(0)) {
            return connection.prepareStatement(
                    "SELECT sharded_id_shard.next_id('sharded_id_shard.photo_id_seq'::regclass)");
        }
    }

    private static long id(PreparedStatement call) throws SQLException {
        try (ResultSet row = call.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
