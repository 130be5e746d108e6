package io.github.shardedid.boot.app;

import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import io.github.shardedid.spring.data.ShardedRepositoryPostProcessor;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactoryBean;

/** A repository of the running application that is made without being a bean, with the routes of its methods. */
record MadeRepository<T>(T repository, Map<String, RouteKind> routes) {
    static <T> MadeRepository<T> of(RunningApp app, Class<T> type) {
        return of(app, type, factory -> {});
    }

    /** With an implementation, a fragment or a base class, which the last argument sets. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static <T> MadeRepository<T> of(RunningApp app, Class<T> type, Consumer<JpaRepositoryFactoryBean<?, ?, ?>> with) {
        JpaRepositoryFactoryBean factory = new JpaRepositoryFactoryBean(type);
        factory.setEntityManager(app.bean(EntityManager.class));
        factory.setBeanFactory(app.context.getBeanFactory());
        factory.setBeanClassLoader(type.getClassLoader());
        with.accept(factory);
        RepositoryRoutes routes = new RepositoryRoutes();
        new ShardedRepositoryPostProcessor(() -> Stream.of(app.bean(EntityManagerFactory.class)), routes)
                .postProcessBeforeInitialization(factory, "made");
        app.inTransaction(factory::afterPropertiesSet);
        return new MadeRepository<>(
                (T) factory.getObject(),
                routes.routes().stream()
                        .collect(Collectors.toMap(
                                route -> route.method().replaceFirst(".*\\.(.*)\\(.*", "$1"),
                                RepositoryRoutes.Route::kind,
                                (one, other) -> one)));
    }
}
