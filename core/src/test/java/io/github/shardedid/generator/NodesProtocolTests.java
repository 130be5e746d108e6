package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores every interleaving of changes from some JVM nodes to none and back with JVMs that lease and make ids, calls of the
 * functions, short ones and one that spans the changes, and clocks that show anything at any time.
 */
class NodesProtocolTests {
    private static final int TIMESTAMPS = 4;

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "0, 2", "1, 2"})
    void noIdComesTwiceWhateverHappensInWhateverOrder(int nodes, int jvms) {
        assertThat(explore(EnumSet.allOf(NodesRule.class), nodes, jvms)).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @EnumSource
    void anIdComesTwiceWithoutAnyOneOfTheRules(NodesRule rule) {
        Set<NodesRule> others = EnumSet.complementOf(EnumSet.of(rule));

        assertThatThrownBy(() -> {
                    explore(others, 1, 1);
                    explore(others, 0, 1);
                })
                .isInstanceOf(NodesModel.Duplicate.class);
    }

    private static int explore(Set<NodesRule> rules, int nodes, int jvms) {
        Set<NodesModel> seen = new HashSet<>();
        Deque<NodesModel> open = new ArrayDeque<>();
        NodesModel first = NodesModel.fresh(rules, nodes, jvms, TIMESTAMPS);
        seen.add(first);
        open.add(first);
        while (!open.isEmpty()) {
            open.remove().next((step, state) -> {
                if (seen.add(state)) {
                    open.add(state);
                }
            });
        }
        return seen.size();
    }
}
