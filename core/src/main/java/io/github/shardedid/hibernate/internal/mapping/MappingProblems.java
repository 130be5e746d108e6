package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the problems that checks of the mappings throw, so that one exception contains all of them. Not safe for
 * several threads.
 *
 * <p>Only refusals are collected: any other exception is an error, and reaches the caller.
 */
public final class MappingProblems {
    private final Set<String> found = new LinkedHashSet<>();

    /**
     * Runs a check of one thing: the first problem of that thing is collected, and the next check runs. Returns
     * whether there was none.
     */
    public boolean collect(Runnable check) {
        try {
            check.run();
            return true;
        } catch (ShardedIdMappingException problem) {
            found.addAll(problem.problems());
            return false;
        }
    }

    /** Adds a problem. */
    public void add(String problem) {
        found.add(problem);
    }

    /** The messages. */
    public List<String> found() {
        return List.copyOf(found);
    }
}
