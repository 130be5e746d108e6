package io.github.shardedid.boot.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShrinkerTests {
    private static final Step FIRST = new Writes.ChangeAll(Kind.ALBUM, List.of(7, 13, 8), "long text");
    private static final Step SECOND = new Reads.Contents(List.of(1, 2, 3));

    @Test
    void whatDoesNotMatterIsLeftOut() {
        List<Step> failing = new java.util.ArrayList<>(Sequences.of(new Random().nextLong()));
        failing.add(failing.size() / 2, FIRST);
        failing.add(SECOND);

        List<Step> least = new Shrinker(ShrinkerTests::fails, 10_000).shrink(failing);

        assertThat(fails(least)).isTrue();
        assertThat(Step.code(least))
                .matches(
                        """
                replay\\(
                        new Writes.ChangeAll\\(Kind.\\w+, List.of\\(\\d+, \\d+\\), "\\w*"\\),
                        new Reads.Contents\\(List.of\\(\\)\\)\\);""");
    }

    @Test
    void theSameSeedMakesTheSameSteps() {
        assertThat(Sequences.of(7)).isEqualTo(Sequences.of(7)).isNotEqualTo(Sequences.of(8));
    }

    /** Needs a change of two rows at least, and a look at collections afterwards. */
    private static boolean fails(List<Step> steps) {
        boolean changed = false;
        for (Step step : steps) {
            changed |=
                    step instanceof Writes.ChangeAll change && change.numbers().size() > 1;
            if (changed && step instanceof Reads.Contents) {
                return true;
            }
        }
        return false;
    }
}
