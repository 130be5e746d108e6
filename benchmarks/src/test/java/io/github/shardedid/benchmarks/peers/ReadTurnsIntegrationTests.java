package io.github.shardedid.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.benchmarks.Taps;
import io.github.shardedid.benchmarks.measure.Allocation;
import io.github.shardedid.benchmarks.peers.Reading.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Round trips and bytes of reads that reach one shard, ours and theirs. */
@Tag("slow")
@Tag("embedded-only")
class ReadTurnsIntegrationTests {
    /** So often that all statements are prepared on the servers, and the classes loaded. */
    private static final int WARM = 200;

    private static final int CALLS = 500;

    static Taps taps;
    static Readings readings;

    @BeforeAll
    static void start() {
        taps = new Taps();
        readings = Taps.trusting(() -> new Readings(taps.database(1), taps.database(2), taps.database(1)));
    }

    @AfterAll
    static void stop() throws Exception {
        readings.close();
        taps.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ours                                             | 1 | 1
                    plain JPA on one database                        | 2 | 1
                    ShardingSphere-JDBC                              | 2 | 1
                    `AbstractRoutingDataSource` and `SET search_path`| 3 | 2
                    Hibernate's multi-tenancy by schema              | 3 | 2
                    """)
    void turnsOfAReadInATransactionAndWithout(String name, long inTransaction, long inAutocommit) {
        Reading reading = readings.by(name);
        for (Kind kind : Kind.values()) {
            long expected = kind == Kind.IN_TRANSACTION ? inTransaction : inAutocommit;
            for (int i = 0; i < WARM; i++) {
                reading.find(kind, i);
                reading.ofUser(kind, i);
            }

            assertThat(taps.turns(() -> reading.find(kind, 0)))
                    .as("find by id %s", kind)
                    .isEqualTo(expected);
            assertThat(taps.turns(() -> reading.ofUser(kind, 0)))
                    .as("rows of a user %s", kind)
                    .isEqualTo(expected);
        }
    }

    @Test
    void aFindAllocatesLessThanTwiceOfPlainJpa() throws Exception {
        for (Kind kind : Kind.values()) {
            assertThat(bytesOfFinding(Readings.OURS, kind))
                    .as("bytes of a find %s", kind)
                    .isLessThan(2 * bytesOfFinding(Readings.PLAIN, kind));
        }
    }

    private static long bytesOfFinding(String name, Kind kind) throws Exception {
        Reading reading = readings.by(name);
        int[] call = {0};
        Runnable find = () -> reading.find(kind, call[0]++);
        Allocation.perCall(CALLS, find);
        return Allocation.perCall(CALLS, find);
    }
}
