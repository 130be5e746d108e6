package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.id.TimestampUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterTests {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT;
    private static final Cluster CLUSTER = new Cluster(LAYOUT, shards(2000));

    @Test
    void anIdNamesItsShard() {
        assertThat(CLUSTER.shardCount()).isEqualTo(2000);
        assertThat(CLUSTER.shardOf(0x2957FA0C14F789L)).isEqualTo(1341);
        assertThat(CLUSTER.shardOf(LAYOUT.encode(1, 1999, 0))).isEqualTo(1999);
    }

    @Test
    void anIdOfAShardThatTheClusterLacksIsRefused() {
        long foreign = LAYOUT.encode(1, 2000, 0);

        assertThatThrownBy(() -> CLUSTER.shardOf(foreign))
                .isInstanceOf(UnknownShardException.class)
                .hasMessageContainingAll("id " + foreign, "shard 2000", "0 to 1999", "another cluster");
    }

    @Test
    void aNumberThatIsNoIdIsRefused() {
        assertThatThrownBy(() -> CLUSTER.shardOf(-1)).isInstanceOf(MalformedIdException.class);
    }

    @Test
    void onlyIdsOfItsShardsCanHaveBeenMadeByIt() {
        assertThat(CLUSTER.canHaveMade(LAYOUT.encode(1, 1999, 1023))).isTrue();
        assertThat(CLUSTER.canHaveMade(0)).isTrue();
        assertThat(CLUSTER.canHaveMade(LAYOUT.encode(1, 2000, 0))).isFalse();
        assertThat(CLUSTER.canHaveMade(-1)).isFalse();
    }

    @Test
    void aLayoutThatCannotNumberTheShardsIsRefused() {
        IdLayout four = new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 0);

        assertThat(new Cluster(four, shards(4)).shardCount()).isEqualTo(4);
        assertThatThrownBy(() -> new Cluster(four, shards(5)))
                .isInstanceOf(UnknownShardException.class)
                .hasMessageContainingAll(four.toString(), "4 shards", "has 5");
    }

    @Test
    void aShardsSchemaHasFourDigitsOrMore() {
        assertThat(ShardSchema.nameOf(5)).isEqualTo("shard_0005");
        assertThat(ShardSchema.nameOf(0)).isEqualTo("shard_0000");
        assertThat(ShardSchema.nameOf(8191)).isEqualTo("shard_8191");
        assertThat(ShardSchema.nameOf(123_456)).isEqualTo("shard_123456");
    }

    private static CurrentShardMap shards(int count) {
        return CurrentShardMap.fixed(new ShardMap(count, List.of(), Map.of("pg1", "not asked")));
    }
}
