package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.util.function.BooleanSupplier;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.jpa.event.spi.CallbackRegistry;
import org.hibernate.jpa.event.spi.CallbackRegistryConsumer;
import org.hibernate.jpa.event.spi.CallbackType;

/**
 * JPA's callbacks, such as those of auditing, in the scope that the application has opened: which call reads or writes the row decides
 * nothing for the statements of a callback.
 */
public record ApplicationCallbacks(CallbackRegistry callbacks) implements CallbackRegistry {
    /** Replaces the callbacks of all listeners of Hibernate. */
    public static void register(Metadata metadata, SessionFactoryImplementor factory, EventListenerRegistry listeners) {
        CallbackRegistry callbacks = factory.getEventEngine().getCallbackRegistry();
        boolean none = metadata.getEntityBindings().stream()
                .map(entity -> entity.getMappedClass())
                .noneMatch(entity -> entity != null && hasAny(callbacks, entity));
        if (none) {
            return;
        }
        ApplicationCallbacks replacement = new ApplicationCallbacks(callbacks);
        for (EventType<?> type : EventType.values()) {
            listeners.getEventListenerGroup(type).fireEventOnEachListener(replacement, (listener, registry) -> {
                if (listener instanceof CallbackRegistryConsumer consumer) {
                    consumer.injectCallbackRegistry(registry);
                }
            });
        }
    }

    private static boolean hasAny(CallbackRegistry callbacks, Class<?> entity) {
        for (CallbackType type : CallbackType.values()) {
            if (callbacks.hasRegisteredCallbacks(entity, type)) {
                return true;
            }
        }
        return false;
    }

    private static void runInOwnScope(Runnable callback) {
        try (ShardContext.Scope scope = RoutedScope.ofApplication()) {
            callback.run();
        }
    }

    private static boolean inOwnScope(BooleanSupplier callback) {
        try (ShardContext.Scope scope = RoutedScope.ofApplication()) {
            return callback.getAsBoolean();
        }
    }

    @Override
    public boolean hasRegisteredCallbacks(Class<?> entity, CallbackType type) {
        return callbacks.hasRegisteredCallbacks(entity, type);
    }

    @Override
    public void preCreate(Object entity) {
        runInOwnScope(() -> callbacks.preCreate(entity));
    }

    @Override
    public void postCreate(Object entity) {
        runInOwnScope(() -> callbacks.postCreate(entity));
    }

    @Override
    public boolean preUpdate(Object entity) {
        return inOwnScope(() -> callbacks.preUpdate(entity));
    }

    @Override
    public void postUpdate(Object entity) {
        runInOwnScope(() -> callbacks.postUpdate(entity));
    }

    @Override
    public void preRemove(Object entity) {
        runInOwnScope(() -> callbacks.preRemove(entity));
    }

    @Override
    public void postRemove(Object entity) {
        runInOwnScope(() -> callbacks.postRemove(entity));
    }

    @Override
    public boolean postLoad(Object entity) {
        return inOwnScope(() -> callbacks.postLoad(entity));
    }

    @Override
    public void release() {
        callbacks.release();
    }
}
