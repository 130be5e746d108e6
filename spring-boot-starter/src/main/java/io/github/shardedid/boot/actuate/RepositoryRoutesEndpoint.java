package io.github.shardedid.boot.actuate;

import io.github.shardedid.spring.data.RepositoryRoutes;
import java.util.List;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The actuator endpoint {@code shardroutes}: how the calls of each repository method determine their shards. Safe for use by several threads. */
@Endpoint(id = "shardroutes")
final class RepositoryRoutesEndpoint {
    private final RepositoryRoutes routes;

    RepositoryRoutesEndpoint(RepositoryRoutes routes) {
        this.routes = routes;
    }

    /**
     * Returns the routes of the methods that the application's repositories declare.
     *
     * @return the methods, with the reason and the ways out for those whose calls need a scope
     */
    @ReadOperation
    public Methods routes() {
        return new Methods(routes.routes());
    }

    /**
     * The routes.
     *
     * @param methods the methods in the order in which their repositories were created
     */
    public record Methods(List<RepositoryRoutes.Route> methods) {}
}
