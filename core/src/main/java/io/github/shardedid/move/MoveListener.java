package io.github.shardedid.move;

/** Hears how moves come along. Several moves that run at once call it at the same time. */
@FunctionalInterface
public interface MoveListener {
    /** Hears nothing. */
    MoveListener NONE = progress -> {};

    /**
     * Called at the beginning of each step, and about once a second while rows are copied, on the thread of the move: what it
     * does delays the move, and what it throws is logged and otherwise ignored.
     *
     * @param progress how far the move has come
     */
    void progress(MoveProgress progress);
}
