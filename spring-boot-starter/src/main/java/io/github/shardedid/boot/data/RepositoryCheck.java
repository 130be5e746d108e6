package io.github.shardedid.boot.data;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Unroutable;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Refuses repository methods that cannot work, and reports those whose calls need a scope, when all repositories are created. */
record RepositoryCheck(RepositoryRoutes routes, Unroutable unroutable)
        implements SmartInitializingSingleton, AopInfrastructureBean {
    private static final Logger LOG = LoggerFactory.getLogger(RepositoryCheck.class);

    @Override
    public void afterSingletonsInstantiated() {
        routes.refuse(unroutable == Unroutable.REFUSE);
        List<String> needScope = routes.routes().stream()
                .filter(route -> route.kind() == RouteKind.NEEDS_SCOPE)
                .map(RepositoryRoutes.Route::method)
                .toList();
        if (!needScope.isEmpty()) {
            LOG.info(
                    "{} repository methods determine no shard, so they must be called in ShardContext.run(shard, …), or be"
                            + " declared @AllShards:{}. sharded-id.repositories.unroutable-methods=refuse refuses them at start-up,"
                            + " with the reasons",
                    needScope.size(),
                    needScope.stream()
                            .map(method -> System.lineSeparator() + "    " + method)
                            .collect(Collectors.joining()));
        }
    }
}
