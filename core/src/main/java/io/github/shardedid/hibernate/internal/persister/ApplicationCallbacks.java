package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.util.stream.Stream;
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
 *
 * <p>Otherwise the same callback would see one shard at a find by id, and another one at a query. With it, a
 * callback that queries without a scope is refused, as it would be outside of the session.
 */
public final class ApplicationCallbacks {
    private ApplicationCallbacks() {}

    /**
     * Replaces the callbacks of all listeners of Hibernate.
     *
     * <p>Without callbacks, nothing is replaced. Hibernate passes its registry to each listener once, when it
     * creates the session factory, so a replacement has to be passed to all of them again.
     */
    public static void register(Metadata metadata, SessionFactoryImplementor factory, EventListenerRegistry listeners) {
        CallbackRegistry callbacks = factory.getEventEngine().getCallbackRegistry();
        boolean none = metadata.getEntityBindings().stream()
                .map(entity -> entity.getMappedClass())
                .noneMatch(entity -> entity != null
                        && Stream.of(CallbackType.values())
                                .anyMatch(type -> callbacks.hasRegisteredCallbacks(entity, type)));
        if (none) {
            return;
        }
        CallbackRegistry replacement = Overridden.of(CallbackRegistry.class, callbacks, (method, arguments, call) -> {
            try (ShardContext.Scope scope = RoutedScope.ofApplication()) {
                return call.on(callbacks);
            }
        });
        for (EventType<?> type : EventType.values()) {
            listeners.getEventListenerGroup(type).fireEventOnEachListener(replacement, (listener, registry) -> {
                if (listener instanceof CallbackRegistryConsumer consumer) {
                    consumer.injectCallbackRegistry(registry);
                }
            });
        }
    }
}
