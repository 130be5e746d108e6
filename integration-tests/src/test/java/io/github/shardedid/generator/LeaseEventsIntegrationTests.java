package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
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
}
