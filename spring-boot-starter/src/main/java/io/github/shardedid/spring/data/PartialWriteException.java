package io.github.shardedid.spring.data;

import io.github.shardedid.ShardedIdException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A call that writes to several shards, with one transaction in each, failed in some of them. What was written stays. The
 * cause is the failure of the first shard that failed; those of others are suppressed.
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
     * @param written what was written: shard → ids or entities, as they were passed
     * @param notWritten what was not
     * @param outcomeUnknown where the connection broke at the commit, so that it may have been written or not
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
     * What was written, and stays.
     *
     * @return shard → ids or entities, as they were passed to the method
     */
    public SortedMap<Integer, List<?>> written() {
        return written;
    }

    /**
     * What was not written.
     *
     * @return shard → ids or entities, as they were passed to the method
     */
    public SortedMap<Integer, List<?>> notWritten() {
        return notWritten;
    }

    /**
     * What may have been written or not: the connection broke at the commit. Look, before it is repeated.
     *
     * @return shard → ids or entities, as they were passed to the method
     */
    public SortedMap<Integer, List<?>> outcomeUnknown() {
        return outcomeUnknown;
    }
}
