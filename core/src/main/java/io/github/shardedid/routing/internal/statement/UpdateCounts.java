package io.github.shardedid.routing.internal.statement;

import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** How many rows statements have written, as JDBC says it. */
final class UpdateCounts {
    private UpdateCounts() {}

    /** Whether the result of an execution says that a row was written for sure. */
    static boolean arePositive(@Nullable Object result) {
        LongStream counts = LongStream.empty();
        if (result instanceof Number count) {
            counts = LongStream.of(count.longValue());
        } else if (result instanceof int[] some) {
            counts = Arrays.stream(some).asLongStream();
        } else if (result instanceof long[] some) {
            counts = Arrays.stream(some);
        }
        return counts.anyMatch(count -> count > 0 || count == Statement.SUCCESS_NO_INFO);
    }
}
