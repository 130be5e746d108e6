package io.github.shardedid.operations.internal;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Divides work into batches. */
public final class Batches {
    private Batches() {}

    /** Returns consecutive parts of a collection, each of the given size except the last. */
    public static <T> List<List<T>> of(Collection<T> all, int size) {
        List<T> list = List.copyOf(all);
        return IntStream.iterate(0, from -> from < list.size(), from -> from + size)
                .mapToObj(from -> list.subList(from, Math.min(from + size, list.size())))
                .toList();
    }
}
