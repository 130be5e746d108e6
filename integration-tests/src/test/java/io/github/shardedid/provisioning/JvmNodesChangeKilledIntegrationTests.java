package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeRefusedException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A change that is killed before or after any of its commits goes on when it is run again, and no id comes twice. */
@Tag("attack")
@Tag("embedded-only")
class JvmNodesChangeKilledIntegrationTests {
    private static final int[] NUMBERS = {16, 0, 32};

    private final NodesCluster cluster = NodesCluster.of(32);
    private final IdClaims claims = new IdClaims(cluster);
    private Duration clock = Duration.ZERO;

    @Test
    void itGoesOnFromEveryMoment() {
        cluster.installClockSeam();
        boolean killed = true;
        int moments = 0;
        while (killed) {
            killed = false;
            for (int nodes : NUMBERS) {
                killed |= killedAndRunAgain(nodes, moments);
            }
            moments++;
        }
        assertThat(moments).isGreaterThan(12);
    }

    private boolean killedAndRunAgain(int nodes, int moment) {
        use();
        KilledSources sources = new KilledSources(cluster.databases().databases(), moment);
        try {
            cluster.changeOnClockSeam(nodes, sources.sources());
        } catch (ShardedIdException e) {
            assertThat(sources.killed()).as(String.valueOf(e.getMessage())).isTrue();
            step(Duration.ofMillis(-200));
            use();
            step(Duration.ofMillis(800));
        }
        runAgain(nodes);
        assertThat(cluster.stored()).containsExactly("" + nodes, "" + nodes);
        step(Duration.ofMillis(-500));
        use();
        step(Duration.ofMinutes(6));
        for (int shard = 0; shard < 2; shard++) {
            boolean noted = claims.lease(shard, nodes, 1); // the first call may only note the new division
            assertThat(claims.lease(shard, nodes, 300) || noted)
                    .as("JVMs make ids again")
                    .isEqualTo(nodes > 0);
        }
        return sources.killed();
    }

    /** The server may need a moment to find out that a session is gone. */
    private void runAgain(int nodes) {
        await().untilAsserted(() -> {
            try {
                cluster.changeOnClockSeam(nodes, cluster.databases().sources());
            } catch (JvmNodesChangeRefusedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private void use() {
        for (int shard = 0; shard < 2; shard++) {
            claims.make(shard, 1500);
            for (int division : NUMBERS) {
                claims.lease(shard, division, 100);
            }
            claims.make(shard, 1);
        }
    }

    private void step(Duration by) {
        clock = clock.plus(by);
        cluster.setClock(clock);
    }
}
