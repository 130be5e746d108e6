package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.move.MoveModel.Limits;
import io.github.shardedid.move.MoveModel.Mover;
import io.github.shardedid.move.MoveModel.Place;
import io.github.shardedid.move.MoveModel.Step;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores breadth first every interleaving of movers that are killed or cut off at any moment, resume and abort, with
 * writers that take ids, write and commit wherever a database lets them, replication that lags, and applications that build
 * their map from what they read at different moments. In each state there are never two writable homes, no acknowledged row
 * is missing where the shard is read, and no id came twice; and a run of {@code resume} or {@code abort} leads to one home.
 */
class MoveProtocolTests {
    private static final Limits MOVERS = new Limits(2, 1, 2, 2, false);
    private static final Limits WRITERS = new Limits(3, 1, 1, 2, false);
    private static final Limits MAPS = new Limits(2, 1, 1, 2, true);
    private static final int LONGEST_RUN = 100;

    @Test
    void nothingIsLostWhileTwoMoversMeet() {
        assertThat(explore(EnumSet.allOf(MoveRule.class), MOVERS, 2, 1)).isGreaterThan(100_000);
    }

    @Tag("slow")
    @Test
    void nothingIsLostOfWhatTwoWritersWrite() {
        assertThat(explore(EnumSet.allOf(MoveRule.class), WRITERS, 1, 2)).isGreaterThan(10_000);
    }

    @Test
    void everyMapThatNamesAHomeNamesOneThatServes() {
        assertThat(explore(EnumSet.allOf(MoveRule.class), MAPS, 1, 1)).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @EnumSource
    void aPromiseIsBrokenWithoutAnyOneOfTheRules(MoveRule rule) {
        Set<MoveRule> others = EnumSet.complementOf(EnumSet.of(rule));

        assertThatThrownBy(() -> {
                    explore(others, MOVERS, 2, 1);
                    explore(others, MAPS, 1, 1);
                })
                .isInstanceOf(MoveModel.Broken.class);
    }

    private static int explore(Set<MoveRule> rules, Limits limits, int movers, int writers) {
        Set<MoveModel> seen = new HashSet<>();
        Deque<MoveModel> open = new ArrayDeque<>();
        open.add(MoveModel.fresh(rules, limits, movers, writers));
        while (!open.isEmpty()) {
            MoveModel model = open.remove();
            if (!seen.add(model.checked())) {
                continue;
            }
            checkWayOut(model);
            for (int mover = 0; mover < movers; mover++) {
                new MoveModelMover(model, mover).next((step, next) -> addUnseen(next, seen, open));
            }
            new MoveModelOthers(model).next((step, next) -> addUnseen(next, seen, open));
        }
        return seen.size();
    }

    private static void addUnseen(MoveModel model, Set<MoveModel> seen, Deque<MoveModel> open) {
        if (!seen.contains(model)) {
            open.add(model);
        }
    }

    /** Whenever all movers are dead, an abort leads to one home, or says that it is too late, and then a resume does. */
    private static void checkWayOut(MoveModel model) {
        if (!model.movers().stream().allMatch(Mover.NONE::equals)) {
            return;
        }
        if (model.source().journal().step() == Step.IDLE) {
            if (!model.isAtRest()) {
                throw new MoveModel.Broken("no move is under way, and there is not one home");
            }
            return;
        }
        boolean aborted = run(new MoveModelMover(model, 0).aborted()).isAtRest();
        boolean resumed = !model.source().journal().aborting()
                && run(new MoveModelMover(model, 0).resumed()).isAtRest();
        boolean waits = model.writers().stream().anyMatch(writer -> writer.open() == Place.SOURCE)
                || model.source().fences() == model.limits().fences();
        boolean resumable = resumed || waits || model.source().journal().aborting();
        if (!(aborted || resumed) || !resumable) {
            throw new MoveModel.Broken("neither resume nor abort leads out of this");
        }
    }

    /** A mover that nothing befalls, while what is committed arrives. */
    private static MoveModel run(MoveModel started) {
        MoveModel model = started;
        for (int i = 0; i < LONGEST_RUN && !model.movers().get(0).equals(Mover.NONE); i++) {
            List<MoveModel> next = new java.util.ArrayList<>();
            new MoveModelMover(model, 0).steps((step, to) -> {
                if (!step.startsWith("gives up")) {
                    next.add(to);
                }
            });
            new MoveModelOthers(model).applies((step, to) -> next.add(to));
            if (next.isEmpty()) {
                return model;
            }
            model = next.get(0).checked();
        }
        return model;
    }
}
