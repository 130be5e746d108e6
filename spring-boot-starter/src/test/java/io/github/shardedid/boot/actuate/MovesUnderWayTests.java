package io.github.shardedid.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.actuate.BackgroundMoves.MovesUnderWay;
import io.github.shardedid.move.MoveRefusedException;
import org.junit.jupiter.api.Test;

class MovesUnderWayTests {
    private final MovesUnderWay moves = new MovesUnderWay();

    @Test
    void whatIsDoneIsForgotten() {
        moves.begin(3, "move");
        assertThatThrownBy(() -> moves.begin(3, "abort"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContainingAll("Shard 3", "move");
        moves.done(3);

        assertThat(moves.all()).isEmpty();
        moves.begin(3, "move");
    }

    @Test
    void aFailureIsKeptUntilTheShardIsTriedAgain() {
        moves.begin(3, "move");
        moves.failed(3, "no room");
        assertThat(moves.all()).singleElement().satisfies(work -> assertThat(work.failure())
                .isEqualTo("no room"));

        moves.begin(3, "resume");
        assertThat(moves.all()).singleElement().satisfies(work -> assertThat(work.failure())
                .isNull());
    }

    @Test
    void ofFailuresTheNewestAreKeptAndNothingThatIsUnderWayIsForgotten() {
        moves.begin(0, "move");
        for (int shard = 1; shard <= 2_000; shard++) {
            moves.begin(shard, "move");
            moves.failed(shard, "no room");
        }

        assertThat(moves.all())
                .hasSize(1 + MovesUnderWay.MOST_FAILURES)
                .extracting(MovesUnderWay.Work::shard)
                .contains(0, 2_000, 2_001 - MovesUnderWay.MOST_FAILURES)
                .doesNotContain(1, 2_000 - MovesUnderWay.MOST_FAILURES);
    }
}
