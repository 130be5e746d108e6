package io.github.shardedid.boot.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PublicationIdsTests {
    private static final UUID RANDOM = UUID.fromString("f81d4fae-7dec-4bd0-a765-00a0c91e6bf6");
    private static final Cluster CLUSTER = new Cluster(
            IdLayout.DEFAULT,
            CurrentShardMap.fixed(new ShardMap(
                    16,
                    IntStream.range(0, 16)
                            .mapToObj(shard -> new ShardOwnership(shard, "pg1", 1))
                            .toList(),
                    Map.of())));

    @Test
    void anIdIsOfVersionEightAndEndsWithTheShard() {
        UUID id = PublicationIds.of(RANDOM, 10);

        assertThat(id).hasToString("f81d4fae-7dec-8bd0-a765-00a00000000a");
        assertThat(id.version()).isEqualTo(8);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(PublicationIds.shardOf(id, CLUSTER)).isEqualTo(10);
    }

    @Test
    void anIdThatNamesNoShardIsRefused() {
        for (UUID id : List.of(RANDOM, PublicationIds.of(RANDOM, 16), new UUID(0, 3))) {
            assertThatThrownBy(() -> PublicationIds.shardOf(id, CLUSTER))
                    .isInstanceOf(NoShardException.class)
                    .hasMessageContaining(id.toString(), "16 shards", "event_publication");
        }
    }
}
