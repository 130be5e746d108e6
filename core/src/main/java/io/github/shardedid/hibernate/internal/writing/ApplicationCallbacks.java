package io.github.shardedid.hibernate.internal.writing;

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
        inOwnScope(() -> {
            callbacks.preCreate(entity);
            return true;
        });
    }

    @Override
    public void postCreate(Object entity) {
        inOwnScope(() -> {
            callbacks.postCreate(entity);
            return true;
        });
    }

    @Override
    public boolean preUpdate(Object entity) {
        return inOwnScope(() -> callbacks.preUpdate(entity));
    }

    @Override
    public void postUpdate(Object entity) {
        inOwnScope(() -> {
            callbacks.postUpdate(entity);
            return true;
        });
    }

    @Override
    public void preRemove(Object entity) {
        inOwnScope(() -> {
            callbacks.preRemove(entity);
            return true;
        });
    }

    @Override
    public void postRemove(Object entity) {
        inOwnScope(() -> {
            callbacks.postRemove(entity);
            return true;
        });
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
