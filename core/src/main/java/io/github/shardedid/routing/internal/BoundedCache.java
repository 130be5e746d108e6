package io.github.shardedid.routing.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Keeps what was used last. Safe for use by several threads. */
final class BoundedCache<K, V> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final long capacity;
    private final ToLongFunction<V> weight;
    private long total;

    /** Keeps a number of values. */
    BoundedCache(int capacity) {
        this(capacity, value -> 1);
    }

    /** Keeps values up to a total weight; a value always weighs the same. */
    BoundedCache(long capacity, ToLongFunction<V> weight) {
        this.capacity = capacity;
        this.weight = weight;
    }

    /** What is kept, else what is made now, outside the lock. */
    V get(K key, Function<K, V> make) {
        V known = find(key);
        if (known != null) {
            return known;
        }
        V made = make.apply(key);
        lock.lock();
        try {
            keep(key, made);
        } finally {
            lock.unlock();
        }
        return made;
    }

    private void keep(K key, V value) {
        V former = entries.put(key, value);
        total += weight.applyAsLong(value) - (former == null ? 0 : weight.applyAsLong(former));
        Iterator<V> eldest = entries.values().iterator();
        while (total > capacity && eldest.hasNext()) {
            total -= weight.applyAsLong(eldest.next());
            eldest.remove();
        }
    }

    private @Nullable V find(K key) {
        lock.lock();
        try {
            return entries.get(key);
        } finally {
            lock.unlock();
        }
    }
}
