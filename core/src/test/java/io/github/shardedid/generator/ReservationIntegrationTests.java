package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationIntegrationTests {
    /** The sequence is ahead of the clock, so that it is moved on without anything that would need a transaction id. */
    @ParameterizedTest
    @CsvSource({"-1, true", "-1, false", "0, true"})
    void itsTransactionHasAnIdSoThatItsCommitWaitsForTheDisk(long floor, boolean single) throws SQLException {
        TestCluster cluster = new TestCluster(IdLayout.DEFAULT, 2, 1, "classpath:db/moves");
        TestDatabase home = cluster.home(0);
        home.execute("SELECT setval('shard_0000.photo_id_seq', sharded_id.encode(sharded_id.timestamp_of("
                + "clock_timestamp() + interval '1 hour'), 0, 0))");
        home.execute("SELECT nextval('shard_0000.photo_id_seq')"); // which logs some values in advance
        long before = nextTransaction(home);

        assertThat(reserve(home, new Reservation(floor, single))).hasSize(1);

        assertThat(nextTransaction(home)).isGreaterThan(before);
        cluster.close();
    }

    private static Long[] reserve(TestDatabase home, Reservation reservation) throws SQLException {
        String sql = reservation.sql().replace(RoutingDataSource.SCHEMA_PLACEHOLDER, "shard_0000");
        try (Connection connection = home.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return reservation.of(0, "photo_id_seq", 1, statement);
        }
    }

    private static long nextTransaction(TestDatabase home) {
        return home.queryLong("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }
}
