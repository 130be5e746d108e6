package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.ReplicaListener;
import java.util.List;

/** Tells several listeners, in order. */
record ReplicaListeners(List<ReplicaListener> all) implements ReplicaListener {
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
