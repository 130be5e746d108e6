package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.spring.data.ShardRoutingInterceptor.CallScope;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Metamodel;
import jakarta.persistence.metamodel.SingularAttribute;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
 * Routes calls of repositories: those of sharded entities to their shards, those of global entities to the global database. In a
 * rehearsal, all calls proceed, and those that would be refused are reported. Register it as a bean. Safe for use by several threads.
 */
public final class ShardedRepositoryPostProcessor implements BeanPostProcessor, AopInfrastructureBean {
    private final Supplier<Stream<EntityManagerFactory>> factories;
    private final RepositoryRoutes routes;
    private final @Nullable BiConsumer<String, String> refused;

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
     * Creates the post-processor of a rehearsal.
     *
     * @param factories the application's entity manager factories, all of Hibernate; those without a {@link Rehearsal} are ignored
     * @param routes receives the routes when a repository is created
     * @param refused is notified of calls that would be refused, with the method and the message; null if calls are routed
     */
    public ShardedRepositoryPostProcessor(
            Supplier<Stream<EntityManagerFactory>> factories,
            RepositoryRoutes routes,
            @Nullable BiConsumer<String, String> refused) {
        this.factories = factories;
        this.routes = routes;
        this.refused = refused;
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
                refused == null ? new ShardRoutingInterceptor(methods) : new RehearsalInterceptor(methods, refused));
        proxy.addAdvice(CallScope.INSTANCE);
    }

    private Optional<EntityShards> shardsOf(SessionFactory factory) {
        return refused == null
                ? EntityShards.of(factory)
                : Rehearsal.of(factory).map(Rehearsal::shards);
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
