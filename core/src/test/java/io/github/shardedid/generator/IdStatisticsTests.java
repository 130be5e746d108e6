package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.generator.IdStatistics.Maker;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IdStatisticsTests {
    private final AtomicReference<ShardMap> home = new AtomicReference<>(home("pg1", 1));
    private final CurrentShardMap map = new CurrentShardMap(home::get);
    private final IdStatistics statistics = new IdStatistics(new Cluster(IdLayout.DEFAULT, map));
    private final long[] made = new long[2];

    /** Shard 1 stays on pg2. */
    private static ShardMap home(String database, long generation) {
        return new ShardMap(
                2, List.of(new ShardOwnership(0, database, generation), new ShardOwnership(1, "pg2", 1)), Map.of());
    }

    private void awaits(Maker maker, long onFirst, long onSecond) {
        await().untilAsserted(() -> assertThat(List.of(statistics.made(maker, "pg1"), statistics.made(maker, "pg2")))
                .containsExactly(onFirst, onSecond));
    }

    @Test
    void idsArePutDownToTheDatabaseThatHasTheShardWhenTheyAreCounted() {
        statistics.count(Maker.JVM, counts -> {
            counts[0] += made[0];
            counts[1] += made[1];
        });
        statistics.count(Maker.DATABASE, counts -> counts[1] += 7);
        made[0] = 5;
        made[1] = 2;
        awaits(Maker.JVM, 5, 2);
        awaits(Maker.DATABASE, 0, 7);
        awaits(Maker.JVM_FALLBACK, 0, 0);

        home.set(home("pg2", 2));
        map.refresh(map.get());
        made[0] = 8;
        awaits(Maker.JVM, 5, 5);
    }

    @Test
    void noFigureFallsWhenACountIsBehindForAMoment() {
        statistics.count(Maker.JVM, counts -> counts[0] += made[0]);
        made[0] = 5;
        awaits(Maker.JVM, 5, 0);
        made[0] = 3;
        assertThat(statistics.made(Maker.JVM, "pg1")).isEqualTo(5);
        made[0] = 9;
        awaits(Maker.JVM, 9, 0);
        assertThat(statistics.made(Maker.JVM, "no database")).isZero();
    }

    /** They are counted when it is known. */
    @Test
    void idsOfAShardWithoutAHomeAreNotLost() {
        ShardMap away = new ShardMap(2, List.of(new ShardOwnership(1, "pg2", 1)), Map.of("pg1", "down"));
        home.set(away);
        map.refresh(map.get());
        statistics.count(Maker.JVM, counts -> counts[0] += 4);
        awaits(Maker.JVM, 0, 0);
        home.set(home("pg1", 1));
        map.refresh(map.get());
        awaits(Maker.JVM, 4, 0);
    }
}
