package io.github.shardedid.routing;

import io.micrometer.context.ThreadLocalAccessor;
import java.util.Objects;
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

    /** The scope that the application has opened; with that of an integration around it, which is restored but does not travel. */
    @Override
    public @Nullable Object getValue() {
        Target target = ShardContext.target();
        Target opened = ShardContext.opened();
        return Objects.equals(target, opened) ? target : new Captured(target, opened);
    }

    @Override
    public void setValue(Object scope) {
        if (scope instanceof Captured captured) {
            ShardContext.restore(captured.opened, captured.opened);
        } else if (scope instanceof Target target) {
            ShardContext.restore(target, target);
        } else {
            throw new IllegalArgumentException(scope.getClass().getName() + " is not a scope of ShardContext.");
        }
    }

    @Override
    public void setValue() {
        ShardContext.restore(null, null);
    }

    @Override
    public void restore(Object scope) {
        if (scope instanceof Captured captured) {
            ShardContext.restore(captured.target, captured.opened);
        } else {
            setValue(scope);
        }
    }

    /** What was captured while an integration sends statements of its own. */
    private record Captured(@Nullable Target target, @Nullable Target opened) {}
}
