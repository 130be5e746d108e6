package io.github.shardedid.move.internal.comparison;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys. Each key is a list of texts.
 *
 * @param after the last key before the range; null if it begins with the first key
 * @param to the last key of the range; null if it has no end
 */
record KeyRange(@Nullable List<String> after, @Nullable List<String> to) {
    /** The parameters of a query for the range. */
    Object[] bounds() {
        return Stream.of(after, to)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .toArray();
    }
}
