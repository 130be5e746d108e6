package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * The routes of the methods that the application's repositories declare. Collects them while the repositories are created, so that one
 * exception contains the problems of all. Safe for use by several threads.
 */
public final class RepositoryRoutes implements AopInfrastructureBean {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Route> routes = new ArrayList<>();
    private boolean complete;

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
        lock.lock();
        try {
            return List.copyOf(routes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the collection, after the repositories of the application have been created. Problems of repositories that are created
     * later are thrown at once.
     *
     * @param alsoUnroutable whether methods whose calls need a scope are refused, too
     * @throws ShardedIdMappingException if there are methods to refuse
     */
    public void refuse(boolean alsoUnroutable) {
        lock.lock();
        try {
            complete = true;
        } finally {
            lock.unlock();
        }
        List<String> problems = routes().stream()
                .filter(route ->
                        route.kind() == RouteKind.REFUSED || (alsoUnroutable && route.kind() == RouteKind.NEEDS_SCOPE))
                .map(route -> String.valueOf(route.why()))
                .toList();
        if (!problems.isEmpty()) {
            throw new ShardedIdMappingException(problems);
        }
    }

    /**
     * Adds the routes of a repository.
     *
     * @param added the routes
     * @throws ShardedIdMappingException if the collection has ended and methods are refused
     */
    public void add(List<Route> added) {
        lock.lock();
        try {
            routes.addAll(added);
            if (!complete) {
                return;
            }
        } finally {
            lock.unlock();
        }
        refuseIn(added);
    }

    /**
     * Throws the problems of methods, if there are any.
     *
     * @param routes the routes
     * @throws ShardedIdMappingException if methods are refused
     */
    public static void refuseIn(List<Route> routes) {
        List<String> problems = routes.stream()
                .filter(route -> route.kind() == RouteKind.REFUSED)
                .map(route -> String.valueOf(route.why()))
                .toList();
        if (!problems.isEmpty()) {
            throw new ShardedIdMappingException(problems);
        }
    }
}
