package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.routing.ReplicaListener;
import java.util.List;

/** Listeners that notify several listeners, in order. */
final class Listeners {
    private Listeners() {}

    record Leases(List<LeaseListener> all) implements LeaseListener {
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

    record Replicas(List<ReplicaListener> all) implements ReplicaListener {
        @Override
        public void used(String database, int replica) {
            all.forEach(each -> each.used(database, replica));
        }

        @Override
        public void fellBack(String database, Reason reason) {
            all.forEach(each -> each.fellBack(database, reason));
        }

        @Override
        public void changed(String database, int replica, boolean usable) {
            all.forEach(each -> each.changed(database, replica, usable));
        }
    }

    record Moves(List<MoveListener> all) implements MoveListener {
        @Override
        public void progress(MoveProgress progress) {
            all.forEach(each -> each.progress(progress));
        }

        @Override
        public void stopped(Move move, RuntimeException failure) {
            all.forEach(each -> each.stopped(move, failure));
        }
    }
}
