package io.github.shardedid.move;

/** Hears how moves come along. Several moves that run at once call it at the same time. */
@FunctionalInterface
public interface MoveListener {
    /** Hears nothing. */
    MoveListener NONE = progress -> {};

    /**
     * Called at the beginning of each step, and at the end of a move, which is a step, too, and about once a second while rows are copied, on the thread of the move: what it
     * does delays the move, and what it throws is logged and otherwise ignored.
     *
     * @param progress how far the move has come
     */
    void progress(MoveProgress progress);

    /**
     * Called when a move stops before its end, on its thread: its journal says how far it is, and it can be resumed or aborted. Not
     * called for one that was refused before it began. Does nothing by default.
     *
     * @param move as it was known when it began or was taken up again
     * @param failure why it stopped
     */
    default void stopped(Move move, RuntimeException failure) {}
}
