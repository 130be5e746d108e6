package io.github.shardedid.move;

import io.github.shardedid.move.MoveModel.Loader;
import io.github.shardedid.move.MoveModel.Place;
import io.github.shardedid.move.MoveModel.Source;
import io.github.shardedid.move.MoveModel.State;
import io.github.shardedid.move.MoveModel.Target;
import io.github.shardedid.move.MoveModel.Writer;
import java.util.function.BiConsumer;

/** What everybody but the movers of a {@link MoveModel} may do next. */
record MoveModelOthers(MoveModel model) {
    void next(BiConsumer<String, MoveModel> steps) {
        for (int writer = 0; writer < model.writers().size(); writer++) {
            Writer him = model.writers().get(writer);
            if (him.id() == 0) {
                takesId(writer, steps);
            } else if (him.open() == Place.NOWHERE) {
                writes(writer, him, steps);
            } else {
                steps.accept("commits", committed(writer, him));
                steps.accept("rolls back", model.with(writer, Writer.NONE));
            }
        }
        leases(steps);
        applies(steps);
        empties(steps);
        if (model.limits().maps()) {
            loads(steps);
        }
    }

    /** Of the copy at the target nobody asks for ids before a map says that it is the shard. */
    private void takesId(int writer, BiConsumer<String, MoveModel> steps) {
        Source source = model.source();
        Target target = model.target();
        if (source.sequence() < model.limits().ids()
                && (!source.fenced() || !model.has(MoveRule.REFUSE_IDS_OF_OLD_COPY))) {
            int id = source.sequence() + 1;
            steps.accept(
                    "takes an id of the source",
                    model.handing(id)
                            .with(source.counted(id, source.lease()))
                            .with(writer, new Writer(id, Place.NOWHERE)));
        }
        if (target.sequence() < model.limits().ids() && target.state() == State.ACTIVE) {
            int id = target.sequence() + 1;
            steps.accept(
                    "takes an id of the target",
                    model.handing(id)
                            .with(target.counted(id, target.lease()))
                            .with(writer, new Writer(id, Place.NOWHERE)));
        }
    }

    private void writes(int writer, Writer him, BiConsumer<String, MoveModel> steps) {
        if (!model.source().fenced() || !model.has(MoveRule.REFUSE_WRITES_IN_OLD_COPY)) {
            steps.accept("writes to the source", model.with(writer, new Writer(him.id(), Place.SOURCE)));
        }
        boolean open = model.target().state() == State.RECEIVING && !model.has(MoveRule.REFUSE_WRITES_IN_NEW_COPY);
        if (model.target().state() == State.ACTIVE || open) {
            steps.accept("writes to the target", model.with(writer, new Writer(him.id(), Place.TARGET)));
        }
    }

    private MoveModel committed(int writer, Writer him) {
        MoveModel done = model.acknowledging(him.id()).with(writer, Writer.NONE);
        Target target = model.target();
        return him.open() == Place.SOURCE
                ? done.with(model.source().committed(him.id()))
                : done.with(target.with(target.rows() | 1 << him.id(), target.applied()));
    }

    private void leases(BiConsumer<String, MoveModel> steps) {
        Source source = model.source();
        Target target = model.target();
        boolean open = !source.fenced() || !model.has(MoveRule.REFUSE_WRITES_IN_OLD_COPY);
        if (open && source.lease() < model.limits().windows()) {
            int window = source.lease() + 1;
            steps.accept(
                    "leases of the source", model.granting(window).with(source.counted(source.sequence(), window)));
        }
        if (target.state() == State.ACTIVE && target.lease() < model.limits().windows()) {
            int window = target.lease() + 1;
            steps.accept(
                    "leases of the target", model.granting(window).with(target.counted(target.sequence(), window)));
        }
    }

    void applies(BiConsumer<String, MoveModel> steps) {
        Target target = model.target();
        if (!target.enabled() || target.applied() == model.source().log().size()) {
            return;
        }
        int entry = model.source().log().get(target.applied());
        int rows = entry == MoveModel.EMPTIED
                ? 0
                : entry > model.limits().ids() ? target.rows() : target.rows() | 1 << entry;
        steps.accept("is applied", model.with(target.with(rows, target.applied() + 1)));
    }

    /** Somebody who may do anything empties the old copy. */
    private void empties(BiConsumer<String, MoveModel> steps) {
        Source source = model.source();
        if (source.state() == State.MOVED && source.rows() != 0) {
            steps.accept("the old copy is emptied", model.with(source.emptied()));
        }
    }

    private void loads(BiConsumer<String, MoveModel> steps) {
        Loader loader = model.loader();
        if (loader.source() < 0) {
            boolean left = model.source().state() == State.MOVED;
            steps.accept("the source is asked", built(new Loader(left ? 0 : 1, loader.target())));
        }
        if (loader.target() < 0) {
            int generation = model.has(MoveRule.GENERATION_PLUS_ONE) ? 2 : 1;
            boolean serves = model.target().state() == State.ACTIVE;
            steps.accept("the target is asked", built(new Loader(loader.source(), serves ? generation : 0)));
        }
    }

    /** Of two claims the higher generation wins; where neither owns the shard, the map is asked for again. */
    private MoveModel built(Loader read) {
        if (read.source() < 0 || read.target() < 0) {
            return model.with(read);
        }
        if (read.source() == read.target() && read.source() > 0) {
            throw new MoveModel.Broken("a map cannot tell the home");
        }
        if (read.source() < read.target() && model.target().state() != State.ACTIVE) {
            throw new MoveModel.Broken("a map names a home that is none");
        }
        return model.with(Loader.NOTHING);
    }
}
