package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.ShardRoutingInterceptor.CallScope;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Calls a method once per shard and combines the results. For one thread. */
final class CallPerShard {
    private final MethodInvocation call;
    private final MethodName name;
    private final List<Object> loose = new ArrayList<>();
    private final Map<Integer, Object> placed = new TreeMap<>();
    private final SortedMap<Integer, List<?>> written = new TreeMap<>();
    private final SortedMap<Integer, List<?>> notWritten = new TreeMap<>();
    private final SortedMap<Integer, List<?>> outcomeUnknown = new TreeMap<>();
    private @Nullable Exception failure;

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
        Class<?> returned = call.getMethod().getReturnType();
        boolean takesList = returned.isAssignableFrom(ArrayList.class) && returned != Object.class;
        if (!takesList && returned != void.class) {
            throw NoShardException.ofValue(name + " returns a " + returned.getName()
                    + ", which the rows of several shards cannot be put into. Declare a List. Nothing was sent to the"
                    + " shards " + target.values().keySet() + ".");
        }
        for (Map.Entry<Integer, List<CallTarget.PlacedValue>> group :
                target.values().entrySet()) {
            List<Object> values =
                    group.getValue().stream().map(CallTarget.PlacedValue::value).toList();
            try {
                collect(group.getValue(), proceed(group.getKey(), values));
                written.put(group.getKey(), values);
            } catch (Exception e) {
                if (!target.write()) {
                    throw e;
                }
                failed(group.getKey(), values, e);
            }
        }
        if (failure != null) {
            throw new PartialWriteException(message(failure), failure, written, notWritten, outcomeUnknown);
        } else if (!takesList) {
            return null;
        }
        return target.write() ? new ArrayList<>(placed.values()) : loose;
    }

    private @Nullable Object proceed(int shard, List<Object> values) throws Throwable {
        @Nullable Object[] arguments = Arrays.copyOf(call.getArguments(), call.getArguments().length);
        arguments[0] = values;
        return CallScope.proceed(((ProxyMethodInvocation) call).invocableClone(arguments), Target.shard(shard), false);
    }

    /** If there is one result per value, results have the order of the values. Otherwise they are ordered by shard. */
    private void collect(List<CallTarget.PlacedValue> values, @Nullable Object result) {
        if (!(result instanceof Collection<?> found)) {
            return;
        }
        loose.addAll(found);
        if (found.size() == values.size()) {
            Iterator<?> next = found.iterator();
            values.forEach(value -> placed.put(value.position(), next.next()));
        }
    }

    private void failed(int shard, List<?> values, Exception e) {
        // The connection broke during the commit, so that its outcome is unknown.
        boolean unknown = Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof SQLException sql
                        && ConnectionLostException.OUTCOME_UNKNOWN.equals(sql.getSQLState()));
        (unknown ? outcomeUnknown : notWritten).put(shard, values);
        if (failure == null) {
            failure = e;
        } else {
            failure.addSuppressed(e);
        }
    }

    private String message(Exception cause) {
        String message =
                name + " wrote to the shards " + written.keySet() + ", each in its own transaction, and failed. ";
        if (!notWritten.isEmpty()) {
            message += "Nothing was written in the shards " + notWritten.keySet()
                    + ": call it again for PartialWriteException.notWritten() once the cause is mended. ";
        }
        if (!outcomeUnknown.isEmpty()) {
            message += "The connection broke at the commit in the shards " + outcomeUnknown.keySet()
                    + ": look there before you repeat it for PartialWriteException.outcomeUnknown(). ";
        }
        return message + "The cause: " + cause.getMessage();
    }
}
