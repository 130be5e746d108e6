package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.Target;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.springframework.util.ReflectionUtils;

/** Listeners that notify several listeners, in order. */
final class Listeners {
    private Listeners() {}

    /** Returns a listener to events without a result, which notifies the others. */
    static <T> T of(Class<T> type, List<? extends T> all) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return ReflectionUtils.invokeMethod(method, all, arguments);
                    }
                    all.forEach(each -> ReflectionUtils.invokeMethod(method, each, arguments));
                    return null;
                }));
    }

    record Statements(List<RoutingListener> all) implements RoutingListener {
        @Override
        public Watch statement(Kind kind, Target.Single target, String database) {
            return watch(each -> each.statement(kind, target, database));
        }

        @Override
        public Watch statement(List<Integer> shards, String database) {
            return watch(each -> each.statement(shards, database));
        }

        @Override
        public Watch allShards(int shards, Set<String> databases) {
            return watch(each -> each.allShards(shards, databases));
        }

        @Override
        public void queueWaited(long nanos, boolean given) {
            all.forEach(each -> each.queueWaited(nanos, given));
        }

        @Override
        public Watch waiting(int shard, String database) {
            return watch(each -> each.waiting(shard, database));
        }

        @Override
        public void replicaChanged(String database, int replica, boolean usable) {
            all.forEach(each -> each.replicaChanged(database, replica, usable));
        }

        /** Usually at most one listener watches: then its watch is returned, or the constant NONE. */
        @SuppressWarnings("ReferenceEquality")
        private Watch watch(Function<RoutingListener, Watch> begin) {
            Watch first = Watch.NONE;
            List<Watch> several = null;
            for (int i = 0; i < all.size(); i++) {
                Watch next = begin.apply(all.get(i));
                if (next != Watch.NONE && first == Watch.NONE) {
                    first = next;
                } else if (next != Watch.NONE) {
                    several = several == null ? new ArrayList<>(List.of(first)) : several;
                    several.add(next);
                }
            }
            return several == null ? first : new Watches(several);
        }

        /** Watches of the same work. They are closed in reverse order, as each restores the thread's state from before it. */
        private record Watches(List<Watch> all) implements Watch {
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
    }
}
