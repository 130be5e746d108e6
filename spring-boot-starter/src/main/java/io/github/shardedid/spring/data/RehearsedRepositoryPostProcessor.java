package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.data.repository.core.RepositoryInformation;

/**
 * Notifies of the calls of repositories of an application without shards that would be refused. All calls proceed. Register it as a bean. Safe for use by several threads.
 */
public final class RehearsedRepositoryPostProcessor implements BeanPostProcessor, AopInfrastructureBean {
    private final Supplier<Stream<EntityManagerFactory>> factories;
    private final RepositoryRoutes routes;
    private final Calls calls;

    /** Is notified of calls that would be refused. */
    @FunctionalInterface
    public interface Calls {
        /**
         * A repository method was called.
         *
         * @param method the repository and the method
         * @param why the message with which the call would be refused
         */
        void refused(String method, String why);
    }

    /**
     * Creates the post-processor.
     *
     * @param factories the application's entity manager factories, all of Hibernate; those without a {@link Rehearsal} are ignored
     * @param routes receives the routes when a repository is created
     * @param calls is notified of calls that would be refused
     */
    public RehearsedRepositoryPostProcessor(
            Supplier<Stream<EntityManagerFactory>> factories, RepositoryRoutes routes, Calls calls) {
        this.factories = factories;
        this.routes = routes;
        this.calls = calls;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        ShardedRepositoryPostProcessor.onJpaRepositories(bean, this::observe);
        return bean;
    }

    private void observe(JpaRepositoryFactory repositories, ProxyFactory proxy, RepositoryInformation repository) {
        Class<?> entity = repository.getDomainType();
        SessionFactory factory = ShardedRepositoryPostProcessor.of(repositories, entity, factories)
                .orElse(null);
        EntityShards shards = factory == null
                ? null
                : Rehearsal.of(factory).map(Rehearsal::shards).orElse(null);
        if (factory == null || shards == null) {
            return;
        }
        int position = ShardedRepositoryPostProcessor.position(proxy);
        if (shards.isSharded(entity)) {
            MethodRoutes methods = ShardedRepositoryPostProcessor.methods(repositories, factory, shards, repository);
            routes.add(methods.report());
            proxy.addAdvice(position, interceptor(repository, methods::of));
        } else if (shards.isGlobal(entity)) {
            GlobalRoutingInterceptor global = new GlobalRoutingInterceptor(repository);
            MethodRoute route = MethodRoute.of(RouteKind.GLOBAL, arguments -> CallTarget.AS_IT_IS);
            routes.add(global.report());
            proxy.addAdvice(
                    position,
                    interceptor(repository, method -> global.routesItself(method) ? MethodRoute.OWN_CODE : route));
        }
    }

    private MethodInterceptor interceptor(RepositoryInformation repository, Function<Method, MethodRoute> routeOf) {
        return call -> {
            MethodRoute route = routeOf.apply(call.getMethod());
            // What own code calls, and a statement that is routed itself, are observed there.
            if (route.kind() == RouteKind.OWN_CODE || route instanceof MethodRoute.ByStatement) {
                return call.proceed();
            }
            String refusal = refusal(route, call.getArguments());
            if (refusal != null) {
                calls.refused(
                        new MethodName(repository.getRepositoryInterface(), call.getMethod()).toString(), refusal);
            }
            Target scope = scope(route.kind(), refusal != null);
            if (scope == null) {
                return call.proceed();
            }
            try (ShardContext.Scope opened = RoutedScope.open(scope)) {
                return call.proceed();
            }
        };
    }

    /** The scope of the statements of a call: which shard it is means nothing. A call that would be refused has none to judge. */
    private static @Nullable Target scope(RouteKind kind, boolean refused) {
        return switch (kind) {
            case GLOBAL -> Target.global();
            case ALL_SHARDS, SHARDS_OF_LIST, SHARDS_OF_CONDITION -> ShardSet.all();
            case NEEDS_SCOPE -> refused ? Target.shard(0) : null;
            default -> Target.shard(0);
        };
    }

    /** The rows have ids without shards, so a target means nothing; only what determines none is refused. */
    private static @Nullable String refusal(MethodRoute route, @Nullable Object[] arguments) {
        if (route.kind() == RouteKind.SHARD_OF_EACH_ROW) {
            return null;
        }
        try {
            route.of(arguments);
            return null;
        } catch (NoShardException | ShardKeyException refused) {
            return refused.getMessage();
        } catch (RuntimeException other) {
            return route.kind() == RouteKind.REFUSED ? other.getMessage() : null;
        }
    }
}
