package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has done on a physical connection so far: whether anything at all, and for which targets. A shard that it
 * has used cannot move away before the transaction ends, as its locks are in the way. For one thread at a time.
 */
public final class TransactionUse {
    private static final Target.@Nullable Single[] NONE = {};

    /** Most transactions use one target, which costs nothing. */
    private Target.@Nullable Single first;

    private Target.@Nullable Single[] more = NONE;
    private int count;
    private boolean touched;

    /** Whether something was sent, so that a failure takes more with it than the statement that failed. */
    public boolean isTouched() {
        return touched;
    }

    /** Something is sent that belongs to no target in particular. */
    void touch() {
        touched = true;
    }

    /** A statement for a target is sent. */
    public void add(Target.Single target) {
        touched = true;
        if (has(target)) {
            return;
        }
        if (count == 0) {
            first = target;
        } else {
            if (more.length < count) {
                more = Arrays.copyOf(more, Math.max(4, count * 2));
            }
            more[count - 1] = target;
        }
        count++;
    }

    public boolean has(Target.Single target) {
        if (count == 0) {
            return false;
        }
        boolean found = target.equals(first);
        for (int i = 0; i < count - 1 && !found; i++) {
            found = target.equals(more[i]);
        }
        return found;
    }

    /** How many targets there are; for {@link #backTo}. */
    int count() {
        return count;
    }

    /** What was done after there were so many targets was rolled back. */
    void backTo(int earlier) {
        count = Math.min(count, earlier);
    }

    /** All was rolled back. */
    void clear() {
        count = 0;
        touched = false;
    }
}
