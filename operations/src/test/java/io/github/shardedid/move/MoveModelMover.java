package io.github.shardedid.move;

import io.github.shardedid.move.MoveModel.Journal;
import io.github.shardedid.move.MoveModel.Mover;
import io.github.shardedid.move.MoveModel.Place;
import io.github.shardedid.move.MoveModel.Source;
import io.github.shardedid.move.MoveModel.State;
import io.github.shardedid.move.MoveModel.Step;
import io.github.shardedid.move.MoveModel.Target;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What one mover of a {@link MoveModel} may do next: each of its steps is a commit in one of the databases. */
record MoveModelMover(MoveModel model, int number) {
    private static final List<Step> STEPS = List.of(Step.values());

    private Mover me() {
        return model.movers().get(number);
    }

    /** With faults: killed, or one of its sessions ended without it. */
    void next(BiConsumer<String, MoveModel> steps) {
        if (me().step() == Step.IDLE) {
            begin(steps);
            return;
        }
        steps.accept("killed", model.with(number, Mover.NONE));
        if (me().source() && me().target()) {
            steps.accept("loses the source", model.with(number, me().cutOff(false, true)));
            steps.accept("loses the target", model.with(number, me().cutOff(true, false)));
        }
        steps(steps);
    }

    private void begin(BiConsumer<String, MoveModel> steps) {
        Journal journal = model.source().journal();
        if (!mayLock()) {
            return;
        }
        if (journal.step() == Step.IDLE) {
            if (model.source().state() == State.ACTIVE
                    && model.source().moves() < model.limits().moves()) {
                steps.accept("begins", started(Step.PREPARE, false));
            }
        } else {
            if (!journal.aborting()) {
                steps.accept("resumes", resumed());
            }
            steps.accept("aborts", aborted());
        }
    }

    private boolean mayLock() {
        return model.movers().stream()
                .noneMatch(other -> other.source() || (other.target() && model.has(MoveRule.LOCK_IN_BOTH)));
    }

    MoveModel resumed() {
        Step step = model.source().journal().step();
        return started(step == Step.AWAIT || step == Step.CARRY ? Step.FENCE : step, false);
    }

    MoveModel aborted() {
        boolean ask = !model.source().journal().step().before(Step.SWITCH) && model.has(MoveRule.ASK_BEFORE_ABORT);
        return started(ask ? Step.ASK : Step.CLEAR, true);
    }

    private MoveModel started(Step step, boolean aborting) {
        return model.with(number, new Mover(step, false, aborting, true, true));
    }

    /** Without faults. */
    void steps(BiConsumer<String, MoveModel> steps) {
        boolean unjournalled = me().step() == Step.END || me().step() == Step.ASK || me().step() == Step.UNFENCE;
        boolean journal = !unjournalled && model.has(MoveRule.JOURNAL_BEFORE_STEP) != me().half();
        boolean last = unjournalled || me().half();
        if (journal) {
            if (me().source()) {
                steps.accept("journals " + me().step(), after(model.with(journalled()), last));
            }
        } else {
            MoveModel done = step();
            if (done != null) {
                steps.accept("does " + me().step(), new MoveModelMover(done, number).after(done, last));
            }
            givesUp(steps);
        }
    }

    private MoveModel after(MoveModel done, boolean last) {
        Mover now = done.movers().get(number);
        if (now.step() == Step.IDLE) {
            return done;
        }
        return done.with(number, last ? following(now) : now.halfDone());
    }

    private Mover following(Mover now) {
        return switch (now.step()) {
            case END, UNFENCE -> Mover.NONE;
            case CARRY -> now.at(model.has(MoveRule.DISABLE_BEFORE_SWITCH) ? Step.DISABLE : Step.SWITCH);
            default -> now.at(STEPS.get(STEPS.indexOf(now.step()) + 1));
        };
    }

    private Source journalled() {
        Source source = model.source();
        if (me().aborting()) {
            return source.at(new Journal(source.journal().step(), true));
        }
        Source at = source.at(new Journal(me().step(), false));
        return me().step() == Step.PREPARE && source.state() == State.ACTIVE ? at.begun() : at;
    }

    /** The state after the step of this mover, or null if it cannot be taken just now. */
    private @Nullable MoveModel step() {
        boolean atSource =
                switch (me().step()) {
                    case FENCE, FINISH, END, UNFENCE -> true;
                    default -> false;
                };
        boolean lives = atSource ? me().source() : me().target() || !model.has(MoveRule.LOCK_IN_BOTH);
        return !lives ? null : atSource ? stepAtSource() : stepAtTarget();
    }

    private @Nullable MoveModel stepAtSource() {
        Source source = model.source();
        return switch (me().step()) {
            case FENCE -> fence();
            case FINISH -> model.with(source.lowered(State.MOVED, true));
            case END -> model.with(source.at(new Journal(Step.IDLE, false)));
            // What was not journalled has not been done.
            default -> {
                boolean still = source.fenced() && source.journal().step().before(Step.FENCE);
                yield model.with(source.lowered(State.ACTIVE, still).at(new Journal(Step.IDLE, false)));
            }
        };
    }

    private @Nullable MoveModel fence() {
        boolean open = model.writers().stream().anyMatch(writer -> writer.open() == Place.SOURCE);
        if (model.source().fenced()) {
            return model;
        }
        boolean mayNot = open && model.has(MoveRule.LOCK_BEFORE_RENAME);
        return mayNot || model.source().fences() == model.limits().fences()
                ? null
                : model.with(model.source().raised());
    }

    /** The marker does not come in time: the fence goes down, and up again later. */
    private void givesUp(BiConsumer<String, MoveModel> steps) {
        Source source = model.source();
        if (me().step() == Step.AWAIT
                && me().source()
                && source.fences() < model.limits().fences()) {
            steps.accept(
                    "gives up the fence",
                    model.with(source.lowered(State.MOVING, false)).with(number, me().at(Step.FENCE)));
        }
    }

    private @Nullable MoveModel stepAtTarget() {
        Source source = model.source();
        Target target = model.target();
        boolean switched = target.state() == State.ACTIVE;
        return switch (me().step()) {
            case PREPARE -> model.with(Target.NOTHING.in(State.RECEIVING));
            case COPY -> copy();
            case AWAIT -> arrived() ? model : null;
            case CARRY ->
                model.with(carried(model.has(MoveRule.SEQUENCES_UNDER_FENCE), model.has(MoveRule.LEASES_UNDER_FENCE)));
            case DISABLE -> model.with(target.subscribed(target.subscribed(), false));
            case SWITCH -> model.with(target.state() == State.RECEIVING ? target.in(State.ACTIVE) : target);
            case CLEAN -> model.with(target.subscribed(false, false));
            case ASK -> switched ? model.with(number, Mover.NONE) : model;
            case CLEAR -> model.with(Target.NOTHING);
            default -> throw new IllegalStateException("" + source);
        };
    }

    private MoveModel copy() {
        Source source = model.source();
        boolean empty = model.has(MoveRule.EMPTY_BEFORE_COPY);
        if (!empty && (model.target().rows() & source.rows()) != 0) {
            throw new MoveModel.Broken("a row twice");
        }
        Target copied = model.target().with(source.rows(), source.log().size()).subscribed(true, true);
        MoveModel with = model.with(copied);
        return with.with(new MoveModelMover(with, number)
                .carried(!model.has(MoveRule.SEQUENCES_UNDER_FENCE), !model.has(MoveRule.LEASES_UNDER_FENCE)));
    }

    private Target carried(boolean sequences, boolean leases) {
        Target target = model.target();
        return target.counted(
                sequences ? Math.max(target.sequence(), model.source().sequence()) : target.sequence(),
                leases ? Math.max(target.lease(), model.source().lease()) : target.lease());
    }

    private boolean arrived() {
        return !model.has(MoveRule.MARKER_BEFORE_SWITCH)
                || model.source().hasMarker(model.target().applied(), model.has(MoveRule.MARKER_OF_THIS_FENCE));
    }
}
