package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.generator.IdStatistics.Maker;
import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every id is counted once, whoever made it. */
class IdStatisticsIntegrationTests {
    private final IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 4);
    private final IdStatistics statistics =
            new IdStatistics(cluster.dataSource().cluster());

    private boolean isMadeByJvm(IdSource source, int shard, String sequence) {
        try (Connection connection = cluster.dataSource().getConnection()) {
            return IdLayout.DEFAULT
                            .decode(source.next(shard, sequence, connection))
                            .sequence()
                    >= IdLayout.DEFAULT.databaseSequences();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void idsOfAJvmAreToldFromThoseThatTheDatabaseMadeInItsPlace() {
        try (JvmIdSource source = new JvmIdSource(cluster.dataSource(), JvmIdOptions.DEFAULT)) {
            statistics.count(source);
            long[] byJvm = {0, 0};
            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                for (int shard = 0; shard < 3; shard++) {
                    byJvm[isMadeByJvm(source, shard, IdCluster.PHOTO) ? 1 : 0]++;
                    byJvm[isMadeByJvm(source, shard, "tag_id_seq") ? 1 : 0]++;
                }
                return byJvm[1] > 500;
            });
            assertThat(byJvm[0]).isPositive();
            await().untilAsserted(() -> {
                assertThat(statistics.made(Maker.JVM, "pg1")).isEqualTo(byJvm[1]);
                assertThat(statistics.made(Maker.JVM_FALLBACK, "pg1")).isEqualTo(byJvm[0]);
            });
            assertThat(statistics.made(Maker.DATABASE, "pg1")).isZero();
            assertThat(statistics.ahead()).isBetween(Duration.ZERO, JvmIdOptions.DEFAULT.ahead());
        }
    }

    @Test
    void ofABlockOnlyTheIdsThatWereUsedAreCounted() {
        DatabaseIdSource source = new DatabaseIdSource(IdLayout.DEFAULT);
        statistics.count(source);
        for (int i = 0; i < 100; i++) {
            assertThat(isMadeByJvm(source, 2, IdCluster.PHOTO)).isFalse();
        }
        await().untilAsserted(
                        () -> assertThat(statistics.made(Maker.DATABASE, "pg1")).isEqualTo(100));
    }
}
