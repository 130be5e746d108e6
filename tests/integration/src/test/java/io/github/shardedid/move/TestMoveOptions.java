package io.github.shardedid.move;

import java.time.Duration;

/** Copies of options of moves with other limits, which applications set by the constructor. */
public final class TestMoveOptions {
    private TestMoveOptions() {}

    public static MoveOptions oneAtATime(MoveOptions options) {
        return with(options, 1, options.fenceTimeout(), options.catchUpTimeout());
    }

    static MoveOptions fenceTimeout(MoveOptions options, Duration timeout) {
        return with(options, options.concurrentMoves(), timeout, options.catchUpTimeout());
    }

    public static MoveOptions catchUpTimeout(MoveOptions options, Duration timeout) {
        return with(options, options.concurrentMoves(), options.fenceTimeout(), timeout);
    }

    private static MoveOptions with(MoveOptions options, int concurrent, Duration fence, Duration catchUp) {
        return new MoveOptions(
                concurrent, options.lockTimeout(), fence, catchUp, options.replicationSources(), options.listener());
    }
}
