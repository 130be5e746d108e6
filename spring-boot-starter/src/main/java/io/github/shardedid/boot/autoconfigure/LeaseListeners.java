package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.LeaseListener;
import java.util.List;

/** Tells several listeners, in order. */
record LeaseListeners(List<LeaseListener> all) implements LeaseListener {
    @Override
    public void granted(int shard, int node) {
        all.forEach(each -> each.granted(shard, node));
    }

    @Override
    public void renewed(int shard, int node) {
        all.forEach(each -> each.renewed(shard, node));
    }

    @Override
    public void lost(int shard, int node) {
        all.forEach(each -> each.lost(shard, node));
    }

    @Override
    public void released(int shard, int node) {
        all.forEach(each -> each.released(shard, node));
    }

    @Override
    public void fallback(int shard, FallbackReason reason) {
        all.forEach(each -> each.fallback(shard, reason));
    }
}
