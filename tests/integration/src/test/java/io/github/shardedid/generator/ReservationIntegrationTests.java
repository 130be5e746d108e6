package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.shardedid.generator.Reservation.Commit;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("quick")
class ReservationIntegrationTests {
    /** Of each kind of layout: those of a millisecond are computed from the first one, those of a second are asked for. */
    @ParameterizedTest
    @MethodSource
    void manyAreIdsOfTheShardInAscendingOrderAndNoneComesAgain(IdLayout layout, int size) throws SQLException {
        TestCluster cluster = new TestCluster(layout, 2, 1, "classpath:db/moves");
        TestDatabase home = cluster.home(0);
        Reservation reservation = new Reservation(layout, "photo_id_seq", Reservation.ANY, false, Commit.STORING);

        LongStream ids =
                IntStream.range(0, 3).boxed().flatMapToLong(i -> LongStream.of(reserve(home, reservation, size)));

        List<Long> all = ids.boxed().toList();
        assertThat(all).hasSize(3 * size).doesNotHaveDuplicates().isSorted();
        assertThat(all).allSatisfy(id -> {
            assertThat(layout.shardOf(id)).isZero();
            assertThat(layout.decode(id).node()).isEmpty();
        });
        assertThat(home.queryLong("SELECT shard_0000.next_id('shard_0000.photo_id_seq')"))
                .isGreaterThan(all.get(all.size() - 1));
        cluster.close();
    }

    static Stream<Arguments> manyAreIdsOfTheShardInAscendingOrderAndNoneComesAgain() {
        IdLayout ofSeconds = new IdLayout(Instant.parse("2026-01-01T00:00:00Z"), TimestampUnit.SECONDS, 27, 2, 3, 0);
        IdLayout withoutNodes = IdLayout.DEFAULT.withJvmNodes(0);
        return Stream.of(IdLayout.DEFAULT, withoutNodes, ofSeconds)
                .flatMap(layout -> Stream.of(2, 16, 511, 512, 513, 1024, 1025).map(size -> arguments(layout, size)));
    }

    private static long[] reserve(TestDatabase home, Reservation reservation, int size) {
        String sql = reservation.sql().replaceAll("(?i)" + RoutingDataSource.SCHEMA_PLACEHOLDER, "shard_0000");
        try (Connection connection = home.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            Reservation.ReservedIds ids = reservation.of(0, size, statement);
            return IntStream.range(0, ids.size()).mapToLong(ids::get).toArray();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
