package io.github.shardedid.spring.data;

import io.github.shardedid.ShardedIdException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Thrown when a call that writes to several shards, with one transaction in each, failed in some of them. The others are
 * committed. The cause is the first failure; further failures are suppressed exceptions.
 */
public class PartialWriteException extends ShardedIdException {
    private static final long serialVersionUID = 1L;

    private final transient SortedMap<Integer, List<?>> written;
    private final transient SortedMap<Integer, List<?>> notWritten;
    private final transient SortedMap<Integer, List<?>> outcomeUnknown;

    /**
     * Creates the exception.
     *
     * @param message the method, and which shards were written and which were not
     * @param cause why the first shard was not written
     * @param written shard → ids or entities that were written, as passed to the method
     * @param notWritten shard → ids or entities that were not written
     * @param outcomeUnknown shard → ids or entities that may have been written: the connection broke during the commit
     */
    public PartialWriteException(
            String message,
            Throwable cause,
            Map<Integer, List<?>> written,
            Map<Integer, List<?>> notWritten,
            Map<Integer, List<?>> outcomeUnknown) {
        super(message, cause);
        this.written = new TreeMap<>(written);
        this.notWritten = new TreeMap<>(notWritten);
        this.outcomeUnknown = new TreeMap<>(outcomeUnknown);
    }

    /**
     * Returns what was written and committed.
     *
     * @return shard → ids or entities, as passed to the method
     */
    public SortedMap<Integer, List<?>> written() {
        return written;
    }

    /**
     * Returns what was not written.
     *
     * @return shard → ids or entities, as passed to the method
     */
    public SortedMap<Integer, List<?>> notWritten() {
        return notWritten;
    }

    /**
     * Returns what may have been written: the connection broke during the commit. Check the database before repeating the call.
     *
     * @return shard → ids or entities, as passed to the method
     */
    public SortedMap<Integer, List<?>> outcomeUnknown() {
        return outcomeUnknown;
    }
}
