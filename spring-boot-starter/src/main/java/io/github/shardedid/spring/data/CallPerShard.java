package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.ShardRoutingInterceptor.CallScope;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.data.util.Streamable;

/** Calls a method once per shard and combines the results. For one thread. */
final class CallPerShard {
    private final MethodInvocation call;
    private final MethodName name;
    private final List<Object> loose = new ArrayList<>();
    private final Map<Integer, Object> placed = new TreeMap<>();

    CallPerShard(MethodInvocation call, MethodName name) {
        this.call = call;
        this.name = name;
    }

    /**
     * Calls the method.
     *
     * @throws PartialWriteException if the method writes and fails in a shard; it is still called for the other shards
     */
    @Nullable
    Object proceed(CallTarget.PerShard target) throws Throwable {
        requireCollectable(target);
        WritesPerShard writes = new WritesPerShard();
        for (Map.Entry<Integer, List<CallTarget.PlacedValue>> group :
                target.values().entrySet()) {
            List<Object> values = values(group.getValue());
            try {
                collect(group.getValue(), proceed(group.getKey(), values));
                writes.succeeded(group.getKey(), values);
            } catch (Exception e) {
                if (!target.write()) {
                    throw e;
                }
                writes.failed(group.getKey(), values, e);
            }
        }
        writes.requireSuccess(name);
        return result(target);
    }

    private static List<Object> values(List<CallTarget.PlacedValue> placed) {
        return placed.stream().map(CallTarget.PlacedValue::value).toList();
    }

    private @Nullable Object proceed(int shard, List<Object> values) throws Throwable {
        @Nullable Object[] arguments = Arrays.copyOf(call.getArguments(), call.getArguments().length);
        arguments[0] = values;
        return CallScope.proceed(((ProxyMethodInvocation) call).invocableClone(arguments), Target.shard(shard), false);
    }

    /** If there is one result per value, results have the order of the values. Otherwise they are ordered by shard. */
    private void collect(List<CallTarget.PlacedValue> values, @Nullable Object result) {
        if (!(result instanceof Iterable<?> found)) {
            return;
        }
        List<Object> each = new ArrayList<>();
        found.forEach(each::add);
        loose.addAll(each);
        Iterator<Object> next = each.iterator();
        for (CallTarget.PlacedValue value : values) {
            if (each.size() == values.size()) {
                placed.put(value.position(), next.next());
            }
        }
    }

    /** Refuses types of results that cannot be combined, before anything is sent. */
    private void requireCollectable(CallTarget.PerShard target) {
        Class<?> type = returned();
        boolean collectable =
                takesList(type) || Set.class.isAssignableFrom(type) || type == Streamable.class || type == void.class;
        if (!collectable) {
            throw new UnroutableMethodException(name + " returns a " + type.getName()
                    + ", which the rows of several shards cannot be put into. Declare a List. Nothing was sent to the"
                    + " shards " + target.values().keySet() + ".");
        }
    }

    private Class<?> returned() {
        return call.getMethod().getReturnType();
    }

    private static boolean takesList(Class<?> type) {
        return type.isAssignableFrom(ArrayList.class) && type != Object.class;
    }

    private @Nullable Object result(CallTarget.PerShard target) {
        Class<?> type = returned();
        List<Object> all = target.write() ? new ArrayList<>(placed.values()) : loose;
        if (takesList(type)) {
            return all;
        } else if (type == Streamable.class) {
            return Streamable.of(all);
        }
        return type == void.class ? null : new LinkedHashSet<>(all);
    }

    /** Outcomes of the transactions of a call that writes to several shards, one transaction in each. For one thread. */
    static final class WritesPerShard {
        private final SortedMap<Integer, List<?>> written = new TreeMap<>();
        private final SortedMap<Integer, List<?>> notWritten = new TreeMap<>();
        private final SortedMap<Integer, List<?>> outcomeUnknown = new TreeMap<>();
        private @Nullable Exception failure;

        void succeeded(int shard, List<?> values) {
            written.put(shard, values);
        }

        void failed(int shard, List<?> values, Exception e) {
            (isOutcomeUnknown(e) ? outcomeUnknown : notWritten).put(shard, values);
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }

        /** Returns whether the connection broke during the commit, so that its outcome is unknown. */
        private static boolean isOutcomeUnknown(Exception failure) {
            return Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
                    .anyMatch(cause -> cause instanceof SQLException sql
                            && ConnectionLostException.OUTCOME_UNKNOWN.equals(sql.getSQLState()));
        }

        void requireSuccess(MethodName method) {
            if (failure != null) {
                throw new PartialWriteException(message(method, failure), failure, written, notWritten, outcomeUnknown);
            }
        }

        private String message(MethodName method, Exception cause) {
            StringBuilder text = new StringBuilder()
                    .append(method)
                    .append(" wrote to the shards ")
                    .append(written.keySet())
                    .append(", each in its own transaction, and failed. ");
            if (!notWritten.isEmpty()) {
                text.append("Nothing was written in the shards ")
                        .append(notWritten.keySet())
                        .append(": call it again for PartialWriteException.notWritten() once the cause is mended. ");
            }
            if (!outcomeUnknown.isEmpty()) {
                text.append("The connection broke at the commit in the shards ")
                        .append(outcomeUnknown.keySet())
                        .append(": look there before you repeat it for PartialWriteException.outcomeUnknown(). ");
            }
            return text.append("The cause: ").append(cause.getMessage()).toString();
        }
    }
}
