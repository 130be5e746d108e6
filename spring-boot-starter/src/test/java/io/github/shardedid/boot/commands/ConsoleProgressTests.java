package io.github.shardedid.boot.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.RecordedPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConsoleProgressTests {
    private static MoveProgress at(int shard, MoveStep step, long copied) {
        Move move = new Move(
                UUID.randomUUID(), shard, "pg1", "pg2", 1, false, step, Instant.EPOCH, Instant.EPOCH, null, null);
        return new MoveProgress(move, step, -1, -1, copied, 100, -1, Duration.ofSeconds(12), null);
    }

    private static RecordedPlan plan(int done, int moves, RecordedPlan.State state) {
        return new RecordedPlan(
                "pg1-3", MoveGoal.drain("pg1"), false, moves, done, state, Instant.EPOCH, Instant.EPOCH, null);
    }

    @Test
    void aMoveHasABar() {
        assertThat(ConsoleProgress.line(null, List.of(at(17, MoveStep.COPY, 60))))
                .isEqualTo("[##########----------]  shard 17 COPY 50 %, 12 s left");
    }

    @Test
    void aPlanHasOneForAllItsMoves() {
        assertThat(ConsoleProgress.line(
                        plan(3, 8, RecordedPlan.State.RUNNING),
                        List.of(at(17, MoveStep.COPY, 60), at(18, MoveStep.CLEAN_UP, -1))))
                .startsWith(
                        "[###########---------]  3 of 8 moves  shard 17 COPY 50 %, 12 s left  shard 18 CLEAN_UP 98 %");
    }

    @Test
    void theLineIsReplacedAndInTheEndEmpty() {
        StringWriter terminal = new StringWriter();
        ConsoleProgress progress = new ConsoleProgress(new PrintWriter(terminal));
        progress.plan(plan(0, 1, RecordedPlan.State.RUNNING));
        progress.progress(at(17, MoveStep.COPY, 60));
        progress.progress(at(17, MoveStep.DONE, -1));
        progress.plan(plan(1, 1, RecordedPlan.State.DONE));

        String[] lines = terminal.toString().split("\r", -1);
        assertThat(terminal.toString()).contains("shard 17 COPY 50 %").doesNotContain("\n");
        assertThat(lines[lines.length - 2]).isBlank();
    }
}
