package io.github.shardedid.generator;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One object for each shard that is used. Has room for all shards of the layout, since shards may be added, in pages that are created
 * when they are needed: an array that was replaced by a longer one could lose an object, and two counters would generate the same ids.
 * Thread-safe.
 */
final class ShardSlots<T> {
    private static final int PAGE_BITS = 8;
    private static final int PAGE = 1 << PAGE_BITS;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable T>> pages;

    ShardSlots(int maxShards) {
        this.pages = new AtomicReferenceArray<>((maxShards + PAGE - 1) / PAGE);
    }

    /** Returns null also if no layout has such a shard. */
    @Nullable
    T get(int shard) {
        int number = shard >> PAGE_BITS;
        AtomicReferenceArray<@Nullable T> page = number < 0 || number >= pages.length() ? null : pages.get(number);
        return page == null ? null : page.get(shard & (PAGE - 1));
    }

    /** Returns the object that the shard has then, which another thread may have set. */
    T setIfAbsent(int shard, T made) {
        AtomicReferenceArray<@Nullable T> page = pages.updateAndGet(
                shard >> PAGE_BITS, known -> known != null ? known : new AtomicReferenceArray<>(PAGE));
        T first = page.compareAndExchange(shard & (PAGE - 1), null, made);
        return first == null ? made : first;
    }

    /** Returns all objects, in the order of their shards. */
    List<T> all() {
        return IntStream.range(0, pages.length() << PAGE_BITS)
                .mapToObj(this::get)
                .flatMap(Stream::ofNullable)
                .toList();
    }
}
