package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.RoutingListener.Watch;
import java.util.List;

/** Several that follow the same work; closed in reverse order, so that each is the current one of its thread again. */
record Watches(List<Watch> all) implements Watch {
    @Override
    public void failed(Throwable failure) {
        all.forEach(each -> each.failed(failure));
    }

    @Override
    public void waited(Outcome outcome) {
        all.forEach(each -> each.waited(outcome));
    }

    @Override
    public Watch continued() {
        return new Watches(all.stream().map(Watch::continued).toList());
    }

    @Override
    public void close() {
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).close();
        }
    }
}
