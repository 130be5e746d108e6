package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.spring.data.ShardRoutingInterceptor.CallScope;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Metamodel;
import jakarta.persistence.metamodel.SingularAttribute;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
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

    /**
     * Creates the post-processor, which adds the routes of each repository to a list. Call {@link RepositoryRoutes#refuse} when the
     * repositories have been created; a method that is refused throws at each call before.
     *
     * @param factories the application's entity manager factories, all of Hibernate, requested when the first repository is created;
     *     those whose data source does not route are ignored
     * @param routes receives the routes when a repository is created
     */
    public ShardedRepositoryPostProcessor(Supplier<Stream<EntityManagerFactory>> factories, RepositoryRoutes routes) {
        this.factories = factories;
        this.routes = routes;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        onJpaRepositories(bean, this::route);
        return bean;
    }

    /** Is called for each repository of JPA. Those of other modules, such as for Redis, may have the same entity classes. */
    @FunctionalInterface
    interface ProxyPostProcessor {
        void postProcess(JpaRepositoryFactory factory, ProxyFactory proxy, RepositoryInformation repository);
    }

    /** Adds a post-processor to the factories that a bean creates, if these are of JPA. */
    static void onJpaRepositories(Object bean, ProxyPostProcessor added) {
        if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> repositories) {
            repositories.addRepositoryFactoryCustomizer(factory -> {
                if (factory instanceof JpaRepositoryFactory jpa) {
                    jpa.addRepositoryProxyPostProcessor(
                            (proxy, repository) -> added.postProcess(jpa, proxy, repository));
                }
            });
        }
    }

    private void route(JpaRepositoryFactory repositories, ProxyFactory proxy, RepositoryInformation repository) {
        Class<?> entity = repository.getDomainType();
        SessionFactory factory = of(repositories, entity, factories).orElse(null);
        EntityShards shards = factory == null ? null : EntityShards.of(factory).orElse(null);
        if (factory == null || shards == null) {
            return;
        }
        if (shards.isSharded(entity)) {
            MethodRoutes methods = methods(repositories, factory, shards, repository);
            routes.add(methods.report());
            proxy.addAdvice(position(proxy), new ShardRoutingInterceptor(methods));
            proxy.addAdvice(CallScope.INSTANCE);
        } else if (shards.isGlobal(entity)) {
            GlobalRoutingInterceptor global = new GlobalRoutingInterceptor(repository);
            routes.add(global.report());
            proxy.addAdvice(global);
        }
    }

    /** The routes of the methods of a sharded entity's repository. */
    static MethodRoutes methods(
            JpaRepositoryFactory repositories,
            SessionFactory factory,
            EntityShards shards,
            RepositoryInformation repository) {
        DeclaredQueries declared = DeclaredQueries.of(repositories, factory, repository);
        return new MethodRoutes(repository, shards, declared);
    }

    /** Before the transaction interceptor, as a call may be one transaction per shard, but after the check for null arguments. */
    static int position(ProxyFactory proxy) {
        return proxy.getAdvisorCount() > 0 && proxy.getAdvisors()[0].getAdvice() instanceof MethodInvocationValidator
                ? 1
                : 0;
    }

    /**
     * Finds the session factory that a repository uses. Its metamodel has the same instance of the entity's id attribute.
     *
     * @param repositories the factory of the repository
     * @param entity the repository's entity
     * @param factories the application's entity manager factories, all of Hibernate
     * @return the session factory, or empty if it is none of these
     */
    public static Optional<SessionFactory> of(
            JpaRepositoryFactory repositories, Class<?> entity, Supplier<Stream<EntityManagerFactory>> factories) {
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
