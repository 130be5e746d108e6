package io.github.shardedid.boot.commands;

import io.github.shardedid.move.MoveProgress;

/** How much of a move is done, for progress bars: the copy takes the longest. */
final class MoveFraction {
    private static final double COPY = 0.05;
    private static final double INDEX = 0.80;

    private MoveFraction() {}

    /** Estimates it, from 0 to 1. */
    static double of(MoveProgress progress) {
        return switch (progress.step()) {
            case PREPARE -> 0;
            case PUBLISH -> COPY / 2;
            case COPY -> COPY + (INDEX - COPY) * copied(progress);
            case INDEX -> INDEX;
            case CATCH_UP -> 0.87;
            case FENCE -> 0.92;
            case CARRY_OVER -> 0.94;
            case SWITCH -> 0.96;
            case CLEAN_UP -> 0.98;
            default -> 1;
        };
    }

    private static double copied(MoveProgress progress) {
        return progress.bytesTotal() <= 0
                ? 0
                : Math.min(1, Math.max(0, progress.bytesCopied()) / (double) progress.bytesTotal());
    }
}
