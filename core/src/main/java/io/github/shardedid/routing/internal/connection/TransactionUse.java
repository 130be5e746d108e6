package io.github.shardedid.routing.internal.connection;

import java.util.Arrays;

/**
 * What a transaction has done on a physical connection so far: whether anything at all, and in which places. A place that it
 * has used cannot move away before the transaction ends, as its locks are in the way. For one thread at a time.
 */
public final class TransactionUse {
    private static final int[] NONE = {};

    /** Most transactions use one place, which costs nothing. */
    private int first = -1;

    private int[] more = NONE;
    private int count;
    private boolean touched;

    /** Whether something was sent, so that a failure takes more with it than the statement that failed. */
    public boolean isTouched() {
        return touched;
    }

    /** Something is sent that belongs to no place in particular. */
    void touch() {
        touched = true;
    }

    /** A statement for a place is sent. */
    public void of(int place) {
        touched = true;
        if (has(place)) {
            return;
        }
        if (count == 0) {
            first = place;
        } else {
            if (more.length < count) {
                more = Arrays.copyOf(more, Math.max(4, count * 2));
            }
            more[count - 1] = place;
        }
        count++;
    }

    public boolean has(int place) {
        if (count == 0) {
            return false;
        }
        boolean found = first == place;
        for (int i = 0; i < count - 1 && !found; i++) {
            found = more[i] == place;
        }
        return found;
    }

    /** How many places there are; for {@link #backTo}. */
    int count() {
        return count;
    }

    /** What was done after there were so many places was rolled back. */
    void backTo(int earlier) {
        count = Math.min(count, earlier);
    }

    /** All was rolled back. */
    void clear() {
        count = 0;
        touched = false;
    }
}
