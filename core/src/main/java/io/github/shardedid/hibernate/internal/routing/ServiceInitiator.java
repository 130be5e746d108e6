package io.github.shardedid.hibernate.internal.routing;

import java.util.Map;
import java.util.function.BiFunction;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Creates a service of Hibernate's registry when it is first asked for.
 *
 * @param getServiceInitiated the role of the service
 * @param create creates it from the settings; returns null if there is none
 */
public record ServiceInitiator<S extends Service>(
        Class<S> getServiceInitiated,
        BiFunction<Map<String, Object>, ServiceRegistryImplementor, ? extends @Nullable S> create)
        implements StandardServiceInitiator<S> {
    @Override
    public @Nullable S initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        return create.apply(settings, registry);
    }
}
