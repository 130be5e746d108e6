package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * What a transaction has done on a physical connection so far: whether anything at all, and for which targets. A shard that it
 * has used cannot move away before the transaction ends, as its locks are in the way. For one thread at a time.
 */
public final class TransactionUse {
    private final List<Target.Single> targets = new ArrayList<>(1);
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
        if (!has(target)) {
            targets.add(target);
        }
    }

    public boolean has(Target.Single target) {
        return targets.contains(target);
    }

    /** How many targets there are; for {@link #backTo}. */
    int count() {
        return targets.size();
    }

    /** What was done after there were so many targets was rolled back. */
    void backTo(int earlier) {
        targets.subList(Math.min(earlier, targets.size()), targets.size()).clear();
    }

    /** All was rolled back. */
    void clear() {
        targets.clear();
        touched = false;
    }
}
