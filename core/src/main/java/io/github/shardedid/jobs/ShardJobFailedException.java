package io.github.shardedid.jobs;

import io.github.shardedid.ShardedIdException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A job has not completed all shards. Those that it has completed are recorded: the next call continues with the others. */
public class ShardJobFailedException extends ShardedIdException {
    private final transient Map<Integer, Throwable> failures;

    /**
     * Creates the exception.
     *
     * @param message the job, its shards, and what to do
     * @param failures the failures by shard; may be empty
     * @param cause what ended the job or, if it went through all shards, the first failure
     */
    public ShardJobFailedException(String message, Map<Integer, Throwable> failures, @Nullable Throwable cause) {
        super(message, cause);
        this.failures = Collections.unmodifiableMap(new TreeMap<>(failures));
    }

    /**
     * Returns the failures by shard.
     *
     * @return the failures by shard, in the order of the shards; empty if the job has failed as a whole
     */
    public Map<Integer, Throwable> failures() {
        return failures;
    }
}
