package io.github.shardedid.routing.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps what was used last. Safe for use by several threads. */
final class BoundedCache<K, V> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, V> entries;

    BoundedCache(int capacity) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
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
            entries.put(key, made);
        } finally {
            lock.unlock();
        }
        return made;
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
