package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ConnectionLostException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Outcomes of the transactions of a call that writes to several shards, one transaction in each. For one thread. */
final class WritesPerShard {
    private final SortedMap<Integer, List<?>> written = new TreeMap<>();
    private final SortedMap<Integer, List<?>> notWritten = new TreeMap<>();
    private final SortedMap<Integer, List<?>> outcomeUnknown = new TreeMap<>();
    private @Nullable Exception failure;

    void succeeded(int shard, List<?> values) {
        written.put(shard, values);
    }

    void failed(int shard, List<?> values, Exception e) {
        (isOutcomeUnknown(e) ? outcomeUnknown : notWritten).put(shard, values);
        if (failure == null) {
            failure = e;
        } else {
            failure.addSuppressed(e);
        }
    }

    /** Whether the connection broke during the commit, so that its outcome is unknown. */
    private static boolean isOutcomeUnknown(Exception failure) {
        return Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof SQLException sql
                        && ConnectionLostException.OUTCOME_UNKNOWN.equals(sql.getSQLState()));
    }

    void requireSuccess(MethodName method) {
        if (failure != null) {
            throw new PartialWriteException(message(method, failure), failure, written, notWritten, outcomeUnknown);
        }
    }

    private String message(MethodName method, Exception cause) {
        StringBuilder text = new StringBuilder()
                .append(method)
                .append(" wrote to the shards ")
                .append(written.keySet())
                .append(", each in its own transaction, and failed. ");
        if (!notWritten.isEmpty()) {
            text.append("Nothing was written in the shards ")
                    .append(notWritten.keySet())
                    .append(": call it again for PartialWriteException.notWritten() once the cause is mended. ");
        }
        if (!outcomeUnknown.isEmpty()) {
            text.append("The connection broke at the commit in the shards ")
                    .append(outcomeUnknown.keySet())
                    .append(": look there before you repeat it for PartialWriteException.outcomeUnknown(). ");
        }
        return text.append("The cause: ").append(cause.getMessage()).toString();
    }
}
