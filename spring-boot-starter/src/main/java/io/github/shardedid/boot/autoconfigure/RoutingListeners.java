package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.RoutingListener;
import java.util.List;

/** Tells several listeners, in order. */
record RoutingListeners(List<RoutingListener> all) implements RoutingListener {
    @Override
    public void waited(int shard, long nanos, Outcome outcome) {
        all.forEach(each -> each.waited(shard, nanos, outcome));
    }

    @Override
    public void repeated(int shard, String from, String to) {
        all.forEach(each -> each.repeated(shard, from, to));
    }

    @Override
    public void refused(int shard, String database) {
        all.forEach(each -> each.refused(shard, database));
    }
}
