package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("containers")
@Tag("quick")
class ShardMoverIntegrationTests {
    private final MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    @Test
    void aShardIsMovedWithItsRowsAndNothingOfTheMoveStays() {
        cluster.fill(2_000);
        List<String> before = cluster.rows("pg1");
        List<MoveStep> heard = new ArrayList<>();

        Move move = cluster.mover(cluster.options().withListener(progress -> heard.add(progress.step())))
                .move(MovingCluster.SHARD, "pg2");

        assertThat(move.step()).isEqualTo(MoveStep.DONE);
        assertThat(move.pause()).isPositive();
        assertThat(cluster.home()).isEqualTo("pg2");
        assertThat(cluster.rows("pg2")).isEqualTo(before);
        assertThat(cluster.rows("pg1", "shard_0001_fenced_1")).isEqualTo(before);
        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
        assertThat(cluster.leftovers()).isEmpty();
        assertThat(heard)
                .containsSubsequence(
                        MoveStep.PREPARE,
                        MoveStep.PUBLISH,
                        MoveStep.COPY,
                        MoveStep.CATCH_UP,
                        MoveStep.FENCE,
                        MoveStep.CARRY_OVER,
                        MoveStep.SWITCH,
                        MoveStep.CLEAN_UP,
                        MoveStep.DONE);
        assertThat(cluster.mover().moves()).containsExactly(move);
    }
}
