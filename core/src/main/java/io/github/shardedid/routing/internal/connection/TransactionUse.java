package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a transaction has done on a physical connection so far: whether anything at all, and for which targets. A shard that it
 * has used cannot move away before the transaction ends, as its locks are in the way. For one thread at a time.
 */
public final class TransactionUse {
    /** Mostly there is one. */
    private List<Target.Single> targets = List.of();

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
        if (targets.isEmpty()) {
            targets = List.of(target);
        } else if (!has(target)) {
            targets = Stream.concat(targets.stream(), Stream.of(target)).toList();
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
        targets = targets.stream().limit(earlier).toList();
    }

    /** All was rolled back. */
    void clear() {
        targets = List.of();
        touched = false;
    }
}
