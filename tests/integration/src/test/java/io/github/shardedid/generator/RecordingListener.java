package io.github.shardedid.generator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what it is told, by name. */
final class RecordingListener implements LeaseListener {
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    int count(Object event) {
        return counter(event).get();
    }

    private AtomicInteger counter(Object event) {
        return counts.computeIfAbsent(event.toString(), name -> new AtomicInteger());
    }

    @Override
    public void granted(int shard, int node) {
        counter("granted").incrementAndGet();
    }

    @Override
    public void renewed(int shard, int node) {
        counter("renewed").incrementAndGet();
    }

    @Override
    public void lost(int shard, int node) {
        counter("lost").incrementAndGet();
    }

    @Override
    public void released(int shard, int node) {
        counter("released").incrementAndGet();
    }

    @Override
    public void fallback(int shard, FallbackReason reason) {
        counter(reason).incrementAndGet();
    }
}
