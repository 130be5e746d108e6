package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.RoutingListener.Watch;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.ReflectionUtils;

/** Listeners that notify several listeners, in order. */
final class Listeners {
    private Listeners() {}

    /** Returns a listener that notifies the others. What it begins is watched by those that watch it, usually at most one. */
    @SuppressWarnings("ReferenceEquality") // NONE is a constant
    static <T> T of(Class<T> type, List<? extends T> all) {
        if (all.size() == 1) {
            return all.get(0);
        }
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return ReflectionUtils.invokeMethod(method, all, arguments);
                    }
                    List<Watch> watches = new ArrayList<>();
                    for (T each : all) {
                        if (ReflectionUtils.invokeMethod(method, each, arguments) instanceof Watch watch
                                && watch != Watch.NONE) {
                            watches.add(
                                    0,
                                    watch); // Closed in reverse order, as each restores the thread's state from before
                            // it.
                        }
                    }
                    return method.getReturnType() != Watch.class
                            ? null
                            : watches.isEmpty() ? Watch.NONE : of(Watch.class, watches);
                }));
    }
}
