package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every lease that was granted is released or lost in the end, so that a listener can tell how many are held. */
@Tag("quick")
class LeaseEventsIntegrationTests {
    private final RecordingListener listener = new RecordingListener();
    private final IdCluster cluster = IdCluster.of(IdLayout.DEFAULT, 4);

    private JvmIdSource leased() {
        JvmIdSource source = new JvmIdSource(cluster.dataSource(), JvmIdOptions.DEFAULT.withListener(listener));
        await().until(() -> {
            for (int shard = 0; shard < 2; shard++) {
                try (Connection connection = cluster.dataSource().getConnection()) {
                    assertThat(source.next(shard, IdCluster.PHOTO, connection)).isPositive();
                }
            }
            return listener.count("granted") == 2;
        });
        return source;
    }

    @Test
    void aLeaseThatIsGivenBackIsReleased() {
        leased().close();

        assertThat(listener.count("released")).isEqualTo(2);
        assertThat(listener.count("lost")).isZero();
    }

    @Test
    void aLeaseThatCannotBeGivenBackIsLost() {
        JvmIdSource source = leased();
        cluster.database().execute("DROP FUNCTION shard_0001.release_node(uuid, bigint)");

        source.close();

        assertThat(listener.count("released")).isEqualTo(1);
        assertThat(listener.count("lost")).isEqualTo(1);
    }

    /** Its renewal ends as that of a database that does not answer. */
    @Test
    void aLeaseOfAShardWithoutAnOwnerIsLostAtItsEnd() throws SQLException {
        Cluster known = cluster.dataSource().cluster();
        AtomicReference<ShardMap> map = new AtomicReference<>(known.map().get());
        CurrentShardMap current = new CurrentShardMap(map::get);
        RoutingDataSource dataSource = new RoutingDataSource(
                new Cluster(known.layout(), current),
                Map.of("pg1", cluster.database().dataSource()));
        JvmIdOptions options =
                JvmIdOptions.DEFAULT.withLease(Duration.ofSeconds(1)).withListener(listener);
        try (JvmIdSource source = new JvmIdSource(dataSource, options);
                Connection connection = dataSource.getConnection()) {
            await().until(() -> source.next(1, IdCluster.PHOTO, connection) > 0 && listener.count("granted") > 0);
            map.set(new ShardMap(known.shardCount(), List.of(), Map.of("pg1", "it is down")));
            current.refresh(current.get());

            await().until(() -> listener.count("lost") > 0);
        }
    }
}
