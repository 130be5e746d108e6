package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.spring.data.ShardRoutingInterceptor.CallScope;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Metamodel;
import jakarta.persistence.metamodel.SingularAttribute;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.jpa.repository.support.JpaMetamodelEntityInformation;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.support.MethodInvocationValidator;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/**
 * Routes calls of repositories: those of sharded entities to their shards, those of global entities to the global database.
 * Register it as a bean. Safe for use by several threads.
 */
public final class ShardedRepositoryPostProcessor implements BeanPostProcessor, AopInfrastructureBean {
    private final Supplier<Stream<EntityManagerFactory>> factories;
    private final RepositoryRoutes routes;
    private final @Nullable UnroutedCalls unrouted;

    /**
     * Creates the post-processor, which adds the routes of each repository to a list. Call {@link RepositoryRoutes#refuse} when the
     * repositories have been created; a method that is refused throws at each call before.
     *
     * @param factories the application's entity manager factories, all of Hibernate, requested when the first repository is created;
     *     those whose data source does not route are ignored
     * @param routes receives the routes when a repository is created
     */
    public ShardedRepositoryPostProcessor(Supplier<Stream<EntityManagerFactory>> factories, RepositoryRoutes routes) {
        this(factories, routes, null);
    }

    /**
     * Creates the post-processor of repositories that are not routed.
     *
     * @param factories the application's entity manager factories, all of Hibernate
     * @param routes receives the routes when a repository is created
     * @param unrouted executes the calls, and knows which factories have some; null if calls are routed
     */
    public ShardedRepositoryPostProcessor(
            Supplier<Stream<EntityManagerFactory>> factories,
            RepositoryRoutes routes,
            @Nullable UnroutedCalls unrouted) {
        this.factories = factories;
        this.routes = routes;
        this.unrouted = unrouted;
    }

    /** Repositories of other modules than JPA's, such as for Redis, may have the same entity classes. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> repositories) {
            repositories.addRepositoryFactoryCustomizer(factory -> {
                if (factory instanceof JpaRepositoryFactory jpa) {
                    jpa.addRepositoryProxyPostProcessor((proxy, repository) -> route(jpa, proxy, repository));
                }
            });
        }
        return bean;
    }

    private void route(JpaRepositoryFactory repositories, ProxyFactory proxy, RepositoryInformation repository) {
        Class<?> entity = repository.getDomainType();
        SessionFactory factory = of(repositories, entity).orElse(null);
        EntityShards shards = factory == null ? null : shardsOf(factory).orElse(null);
        if (factory == null || shards == null || !(shards.isSharded(entity) || shards.isGlobal(entity))) {
            return;
        }
        MethodRoutes methods =
                new MethodRoutes(repository, shards, DeclaredQueries.of(repositories, factory, repository));
        routes.add(methods.report());
        proxy.addAdvice(
                position(proxy),
                unrouted == null ? new ShardRoutingInterceptor(methods) : proceeding(unrouted, methods));
        proxy.addAdvice(new CallScope());
    }

    private Optional<EntityShards> shardsOf(SessionFactory factory) {
        return unrouted == null ? EntityShards.of(factory) : unrouted.shardsOf(factory);
    }

    /** What own code calls, and a statement that is routed itself, is executed there. */
    private static MethodInterceptor proceeding(UnroutedCalls unrouted, MethodRoutes methods) {
        return call -> {
            MethodRoute route = methods.of(call.getMethod());
            return route.kind() == RouteKind.OWN_CODE || route instanceof MethodRoute.ByStatement
                    ? call.proceed()
                    : unrouted.proceed(
                            call,
                            methods.name(call.getMethod()).toString(),
                            route.kind(),
                            () -> route.of(call.getArguments()));
        };
    }

    /** Before the transaction interceptor, as a call may be one transaction per shard, but after the check for null arguments. */
    private static int position(ProxyFactory proxy) {
        return proxy.getAdvisorCount() > 0 && proxy.getAdvisors()[0].getAdvice() instanceof MethodInvocationValidator
                ? 1
                : 0;
    }

    /** Finds the session factory that a repository uses. Its metamodel has the same instance of the entity's id attribute. */
    private Optional<SessionFactory> of(JpaRepositoryFactory repositories, Class<?> entity) {
        SingularAttribute<?, ?> id = repositories.getEntityInformation(entity).getRequiredIdAttribute();
        try (Stream<EntityManagerFactory> all = factories.get()) {
            return all.map(factory -> factory.unwrap(SessionFactory.class))
                    .filter(factory -> isManaged(entity, factory.getMetamodel()))
                    .filter(factory -> idOf(entity, factory) == id)
                    .findFirst();
        }
    }

    private static boolean isManaged(Class<?> entity, Metamodel metamodel) {
        return metamodel.getManagedTypes().stream().anyMatch(type -> type.getJavaType() == entity);
    }

    /** Returns the attribute as Spring Data finds it. */
    private static SingularAttribute<?, ?> idOf(Class<?> entity, SessionFactory factory) {
        return new JpaMetamodelEntityInformation<>(entity, factory.getMetamodel(), factory.getPersistenceUnitUtil())
                .getRequiredIdAttribute();
    }
}
