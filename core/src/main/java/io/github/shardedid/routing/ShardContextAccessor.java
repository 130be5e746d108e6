package io.github.shardedid.routing;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Takes the scope of a {@link ShardContext} along wherever Micrometer's context propagation, which finds this by itself if it
 * is on the class path, carries thread locals: wrapped executors, reactive chains, Spring's
 * {@code ContextPropagatingTaskDecorator}. A transaction does not travel. Safe for use by several threads.
 */
public final class ShardContextAccessor implements ThreadLocalAccessor<Object> {
    /** The key of the scope in a captured context. */
    public static final String KEY = "sharded-id.shard-context";

    /** Called by Micrometer's service loader. */
    public ShardContextAccessor() {}

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable Object getValue() {
        return ShardContext.target();
    }

    @Override
    public void setValue(Object scope) {
        if (!(scope instanceof Target target)) {
            throw new IllegalArgumentException(scope.getClass().getName() + " is not a scope of ShardContext.");
        }
        ShardContext.become(target);
    }

    @Override
    public void setValue() {
        ShardContext.become(null);
    }
}
