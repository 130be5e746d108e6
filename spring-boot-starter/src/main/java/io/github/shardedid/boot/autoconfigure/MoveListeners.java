package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import java.util.List;

/** Tells several listeners, in order. */
record MoveListeners(List<MoveListener> all) implements MoveListener {
    @Override
    public void progress(MoveProgress progress) {
        all.forEach(each -> each.progress(progress));
    }

    @Override
    public void stopped(Move move, RuntimeException failure) {
        all.forEach(each -> each.stopped(move, failure));
    }
}
