package io.github.shardedid.routing;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Takes the scope of a {@link ShardContext} along wherever Micrometer's context propagation, which finds this by itself if it
 * is on the class path, carries thread locals: wrapped executors, reactive chains, Spring's
 * {@code ContextPropagatingTaskDecorator}. A transaction does not travel. Safe for use by several threads.
 */
public final class ShardContextAccessor implements ThreadLocalAccessor<ShardContext.Scope> {
    /** The key of the scope in a captured context. */
    public static final String KEY = "sharded-id.shard-context";

    /** Called by Micrometer's service loader. */
    public ShardContextAccessor() {}

    @Override
    public Object key() {
        return KEY;
    }

    /** The innermost scope; that of an integration is restored but does not travel. */
    @Override
    public ShardContext.@Nullable Scope getValue() {
        return ShardContext.captured();
    }

    @Override
    public void setValue(ShardContext.Scope captured) {
        ShardContext.replace(captured.opened);
    }

    @Override
    public void setValue() {
        ShardContext.replace(null);
    }

    @Override
    public void restore(ShardContext.Scope replaced) {
        ShardContext.restore(replaced);
    }
}
