package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.HeldClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An instance whose map is older than shards that another instance has added. */
class AddedShardsTests {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long ID = IdLayout.DEFAULT.encode(1, 3, 1);

    private final HeldClock clock = new HeldClock();
    private final AtomicInteger loads = new AtomicInteger();
    private volatile ShardMap stored = map(2, 2);

    private final CurrentShardMap current = new CurrentShardMap(
            () -> {
                loads.incrementAndGet();
                return stored;
            },
            clock);
    private final Cluster cluster = new Cluster(IdLayout.DEFAULT, current);

    private static ShardMap map(int shards, int open) {
        return map(shards, open, Map.of());
    }

    private static ShardMap map(int shards, int open, Map<String, String> unreachable) {
        List<ShardOwnership> claims = IntStream.range(0, shards)
                .mapToObj(shard -> new ShardOwnership(shard, "pg1", 1))
                .toList();
        return new ShardMap(shards, open, 2, claims, unreachable);
    }

    @Test
    void anIdOfAnUnknownShardAsksTheDatabasesEveryTenSeconds() {
        stored = map(4, 2);
        assertThat(cluster.canHaveMade(ID)).as("loaded just now").isFalse();
        clock.advance(SECOND.multipliedBy(11));

        assertThat(cluster.canHaveMade(ID)).isTrue();
        assertThat(cluster.shardOf(ID)).isEqualTo(3);
        assertThat(cluster.requireShard(3)).isEqualTo(3);
        assertThat(loads).hasValue(2);

        for (int i = 0; i < 100; i++) {
            assertThat(cluster.canHaveMade(IdLayout.DEFAULT.encode(1, 4000, i))).isFalse();
        }
        assertThat(loads).as("no load for each id that nobody has made").hasValue(2);
        assertThatExceptionOfType(UnknownShardException.class).isThrownBy(() -> cluster.requireShard(-1));
        assertThatExceptionOfType(UnknownShardException.class).isThrownBy(() -> cluster.requireShard(8192));
    }

    @Test
    void aQueryOverAllShardsAsksThemEveryMinute() {
        stored = map(4, 2);
        clock.advance(MINUTE.minus(SECOND));
        assertThat(current.forAllShards().shardCount()).isEqualTo(2);
        clock.advance(SECOND.multipliedBy(2));
        assertThat(current.forAllShards().shardCount()).isEqualTo(4);
        assertThat(loads).hasValue(2);
    }

    @Test
    void anUnknownShardIsNotAbsentIfNoDatabaseAnswers() {
        stored = map(2, 2, Map.of("pg1", "down"));
        clock.advance(SECOND.multipliedBy(30));
        assertThat(cluster.canHaveMade(ID)).isFalse();
        assertThat(current.age()).isGreaterThanOrEqualTo(SECOND.multipliedBy(30));

        clock.advance(MINUTE);
        assertThatExceptionOfType(UnownedShardException.class)
                .isThrownBy(() -> cluster.canHaveMade(ID))
                .withMessageContaining("Shard 3 is unknown here, and may have been added");
        assertThat(cluster.canHaveMade(IdLayout.DEFAULT.encode(1, 1, 1))).isTrue();
    }

    @Test
    void newRowsSeeOpenShardsOnlyAndKeysTheFirstOnes() {
        ShardMap map = map(4, 3);
        assertThat(map.forNewRows().shardCount()).isEqualTo(3);
        assertThat(map.forNewRows().databaseOf(2)).isEqualTo("pg1");
        assertThat(map.keyShards()).isEqualTo(2);
        assertThat(map).isNotEqualTo(map(4, 4)).isEqualTo(map(4, 3));
        assertThat(map(4, 4).forNewRows()).isEqualTo(map(4, 4));
    }

    @Test
    void keysAreRefusedWhileTheirNumberIsUnknown() {
        stored = new ShardMap(4, 4, 0, List.of(), Map.of("pg1", "down"));
        current.refreshSince(current.nanoTime() + 1);
        assertThatExceptionOfType(UnownedShardException.class)
                .isThrownBy(cluster::keyShards)
                .withMessageContaining("[pg1]");
    }
}
