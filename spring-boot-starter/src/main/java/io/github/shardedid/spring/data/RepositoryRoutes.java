package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * The routes of the methods that the application's repositories declare. Collects them while the repositories are created, so that one
 * exception contains the problems of all. Safe for use by several threads.
 */
public final class RepositoryRoutes implements AopInfrastructureBean {
    private final List<Route> routes = new CopyOnWriteArrayList<>();
    private volatile boolean complete;

    /** Creates the empty list. */
    public RepositoryRoutes() {}

    /**
     * The route of a method.
     *
     * @param method the repository and the method, such as {@code PhotoRepository.findByCaption(String)}
     * @param kind how a call determines its shards
     * @param why why a call needs a scope, or why the method is refused, each with the way out; null for other kinds
     */
    public record Route(String method, RouteKind kind, @Nullable String why) {}

    /**
     * The routes that are known.
     *
     * @return a copy, in the order in which the repositories were created
     */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /**
     * Ends the collection, after the repositories of the application have been created. Problems of repositories that are created
     * later are thrown at once.
     *
     * @param alsoUnroutable whether methods whose calls need a scope are refused, too
     * @throws ShardedIdMappingException if there are methods to refuse
     */
    public void refuse(boolean alsoUnroutable) {
        complete = true;
        refuse(routes, alsoUnroutable);
    }

    /**
     * Adds the routes of a repository.
     *
     * @param added the routes
     * @throws ShardedIdMappingException if the collection has ended and methods are refused
     */
    public void add(List<Route> added) {
        routes.addAll(added);
        // Written before this is read, as in the other method: one of the two finds the problems.
        if (complete) {
            refuse(added, false);
        }
    }

    private static void refuse(List<Route> routes, boolean alsoUnroutable) {
        List<String> problems = routes.stream()
                .filter(route ->
                        route.kind() == RouteKind.REFUSED || (alsoUnroutable && route.kind() == RouteKind.NEEDS_SCOPE))
                .map(route -> String.valueOf(route.why()))
                .toList();
        if (!problems.isEmpty()) {
            throw new ShardedIdMappingException(problems);
        }
    }
}
