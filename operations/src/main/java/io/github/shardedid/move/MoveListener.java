package io.github.shardedid.move;

/** Receives the progress of moves. Moves that run at the same time call it concurrently. */
@FunctionalInterface
public interface MoveListener {
    /** Ignores all progress. */
    MoveListener NONE = progress -> {};

    /**
     * Called at the beginning of each step, at the end of a move, and about once a second while rows are copied, on
     * the thread of the move: its time delays the move. An exception that it throws is logged and otherwise ignored.
     *
     * @param progress of the move
     */
    void progress(MoveProgress progress);

    /**
     * Called when a move stops before its end, on its thread. The journal records its step; the move can be resumed
     * or aborted. Not called for a move that was refused before it began. Does nothing by default.
     *
     * @param move as recorded when it began or was resumed
     * @param failure why it stopped
     */
    default void stopped(Move move, RuntimeException failure) {}
}
