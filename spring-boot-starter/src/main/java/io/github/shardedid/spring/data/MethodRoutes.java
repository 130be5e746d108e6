package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.spring.data.DeclaredQueries.DeclaredQuery;
import io.github.shardedid.spring.data.Implementations.Implementation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.annotation.SpringCacheAnnotationParser;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.domain.Sort;
import org.springframework.data.repository.core.RepositoryInformation;

/** Routes of the methods of one repository, of a sharded or a global entity, determined when the repository is created. Safe for use by several threads. */
final class MethodRoutes {
    private static final String SPRING_DATA = "org.springframework.data.";

    private static final String OF_CONDITION =
            "its condition requires neither the id nor the shard key of all of its rows, or those of several shards.";

    /** Why a method whose results Spring stores is refused if the open scope determines its shards, after the name of the method. */
    private static final String CACHED =
            " is cached, but the open scope determines the shards of its result, and is not in the key: a call in"
                    + " another scope would return rows of another shard. Add the scope to the key, as in key = \"{#p0, T("
                    + ShardContext.class.getName() + ").target()}\", or name a keyGenerator that does so.";

    private static final SpringCacheAnnotationParser CACHING = new SpringCacheAnnotationParser();

    /** The kinds of routes that depend on the open scope, or may do so. */
    private static final Set<RouteKind> BY_SCOPE =
            EnumSet.of(RouteKind.NEEDS_SCOPE, RouteKind.SHARDS_OF_CONDITION, RouteKind.ALL_SHARDS);

    private final RepositoryInformation repository;
    private final Implementations implementations;
    private final EntityShards shards;
    private final DeclaredQueries declared;
    private final Map<Method, MethodRoute> routes = new ConcurrentHashMap<>();
    private final Map<Method, Sort> pageOrders = new ConcurrentHashMap<>();

    /**
     * Determines the routes of all methods.
     *
     * @param declared the declared queries of the methods, which take precedence over their names
     */
    MethodRoutes(RepositoryInformation repository, EntityShards shards, DeclaredQueries declared) {
        this.repository = repository;
        this.implementations = new Implementations(repository);
        this.shards = shards;
        this.declared = declared;
        for (Method method : repository.getRepositoryInterface().getMethods()) {
            of(method);
        }
    }

    /** Returns whether the statements of a call determine the target, or are refused. */
    boolean isByStatement(MethodRoute route) {
        return route instanceof MethodRoute.ByStatement
                || (route instanceof MethodRoute.NeedsScope
                        && ShardContext.target() == null
                        && shards.knowsShardOfSession(repository.getDomainType()));
    }

    /** A call whose statement has been refused, which the cause explains. */
    Throwable unroutable(Method method, NoShardException refused) {
        String why = of(method) instanceof MethodRoute.NeedsScope scope ? scope.why() : OF_CONDITION;
        return name(method).unroutable(why).initCause(refused);
    }

    MethodRoute of(Method method) {
        return routes.computeIfAbsent(method, this::findOrRefuse);
    }

    /** The routes of the methods that the application declares, and of all that are refused. */
    List<RepositoryRoutes.Route> report() {
        return Arrays.stream(repository.getRepositoryInterface().getMethods())
                .filter(method -> of(method) instanceof Refused
                        || !method.getDeclaringClass().getName().startsWith(SPRING_DATA))
                .map(this::report)
                .toList();
    }

    private RepositoryRoutes.Route report(Method method) {
        MethodRoute route = of(method);
        String why = route instanceof Refused refused
                ? refused.why()
                : route instanceof MethodRoute.NeedsScope scope ? name(method).needsScope(scope.why()) : null;
        return route instanceof MethodRoute.NeedsScope && shards.knowsShardOfSession(repository.getDomainType())
                ? new RepositoryRoutes.Route(name(method).toString(), RouteKind.ONE_SHARD, null)
                : new RepositoryRoutes.Route(name(method).toString(), route.kind(), why);
    }

    /**
     * The order of pages over several shards for which the call asks for none: by the id. None where it may not be possible; such a query
     * has its own order, or is refused after its first page.
     */
    Sort pageOrder(Method method) {
        return pageOrders.computeIfAbsent(method, this::findPageOrder);
    }

    private Sort findPageOrder(Method method) {
        String id = shards.idOf(repository.getDomainType());
        boolean ownText = declared.isAnnotated(method) || declared.of(method).isPresent();
        boolean rows =
                implementations.of(method) == Implementation.QUERY || implementations.isInSpringDatasBaseClass(method);
        boolean otherwise =
                method.getName().contains("Distinct") || method.getName().contains("OrderBy");
        return rows && !ownText && !otherwise && !id.isEmpty() ? Sort.by(id) : Sort.unsorted();
    }

    private MethodRoute findOrRefuse(Method method) {
        try {
            MethodRoute route = find(method);
            // A scope of several shards counts more than the values of a list.
            boolean byScope = BY_SCOPE.contains(route.kind())
                    || (route instanceof MethodRoute.ByStatement && route.kind() == RouteKind.SHARDS_OF_LIST);
            return byScope && isCachedWithoutScope(method) ? new Refused(name(method) + CACHED) : route;
        } catch (ShardedIdMappingException problem) {
            return new Refused(String.valueOf(problem.getMessage()));
        } catch (UnsupportedStatementException problem) {
            return new Refused(name(method).refused(problem));
        }
    }

    /** A method that stops the start; it is refused at each call before. */
    private record Refused(String why) implements MethodRoute {
        @Override
        public CallTarget of(@Nullable Object[] arguments) {
            throw new ShardedIdMappingException(why);
        }

        @Override
        public RouteKind kind() {
            return RouteKind.REFUSED;
        }
    }

    MethodName name(Method method) {
        return new MethodName(repository.getRepositoryInterface(), method);
    }

    private MethodRoute find(Method method) {
        if (method.getDeclaringClass() == Object.class) {
            return MethodRoute.OWN_CODE;
        }
        MethodName name = name(method);
        Implementation by = implementations.of(method);
        if (shards.isGlobal(repository.getDomainType())) {
            return by == Implementation.OWN_CODE ? MethodRoute.OWN_CODE : MethodRoute.GLOBAL;
        }
        Optional<ShardKeyParameter> parameter = ShardKeyParameter.in(name);
        if (AnnotatedElementUtils.hasAnnotation(method, AllShards.class)) {
            uses(name); // refuses a query that joins rows of other shards
            return AllShardsRoute.of(name, parameter.isPresent());
        }
        if (parameter.isPresent() && by == Implementation.SPRING_DATA) {
            throw new ShardedIdMappingException("The parameter with @ShardKey of " + name
                    + " has no effect: Spring Data implements the method, which routes its calls by their ids or entities."
                    + " Remove the annotation.");
        }
        if (parameter.isPresent()) {
            return parameter.get().route(repository.getDomainType(), shards, uses(name));
        }
        return switch (by) {
            case SPRING_DATA -> new CrudRoutes(repository.getDomainType(), shards).of(name);
            // Calls methods of repositories, or an entity manager, which are routed themselves.
            case OWN_CODE, OWN_BASE_CLASS -> MethodRoute.OWN_CODE;
            case QUERY -> ofQuery(name);
        };
    }

    private MethodRoute ofQuery(MethodName name) {
        if (declared.isProcedure(name.method())) {
            return inScope(name, "a procedure has no parameter with @ShardKey.");
        }
        Optional<DeclaredQuery> query = declared.of(name.method());
        if (query.isPresent() && query.get().rewriter() != null) {
            return inScope(
                    name,
                    "its query is rewritten at each call by " + query.get().rewriter() + ".");
        }
        List<ArgumentUse> uses = uses(name);
        if (query.isEmpty() && !declared.isAnnotated(name.method())) {
            DerivedQueryRoutes derived = new DerivedQueryRoutes(repository, shards);
            if (!derived.areDetermined(name)) {
                return derived.areUnique(name)
                        ? new MethodRoute.ByStatement(RouteKind.ONE_SHARD)
                        : inScope(name, derived.undetermined(name));
            }
            // A deletion reads first: an id that no shard can have generated is an error all the same.
            return name.writes() ? deletion(name, uses) : byStatement(name, uses);
        }
        String why = query.isEmpty()
                ? "its query is not known"
                : query.get().undetermined(shards, uses).orElse(null);
        return why == null ? byStatement(name, uses) : inScope(name, why + ", and no parameter has @ShardKey.");
    }

    private static MethodRoute deletion(MethodName name, List<ArgumentUse> uses) {
        for (ArgumentUse use : uses) {
            ShardRule rule = use.rule();
            if (use.decides() && rule != null && rule.accepts(name.typeOf(use.index()))) {
                return name.byArgument(use.index(), use.path(), rule, true);
            }
        }
        return byStatement(name, uses);
    }

    private static MethodRoute byStatement(MethodName name, List<ArgumentUse> uses) {
        if (uses.stream().anyMatch(use -> use.decides() || (use.decidesByList() && name.writes()))) {
            return new MethodRoute.ByStatement(RouteKind.ONE_SHARD);
        }
        return new MethodRoute.ByStatement(
                uses.stream().anyMatch(ArgumentUse::decidesByList)
                        ? RouteKind.SHARDS_OF_LIST
                        : RouteKind.SHARDS_OF_CONDITION);
    }

    /** Returns whether a call executes code of the application, in the scope that it asks for: none asks for the global database. */
    boolean isOwnCode(Method method) {
        Implementation by = implementations.of(method);
        return by == Implementation.OWN_CODE
                || (by == Implementation.OWN_BASE_CLASS && !shards.isGlobal(repository.getDomainType()));
    }

    /** Code of the application compares its arguments with something that is not known. */
    private List<ArgumentUse> uses(MethodName name) {
        if (isOwnCode(name.method())) {
            return List.of();
        }
        return declared.of(name.method())
                .map(query -> query.uses(name.method(), repository, shards))
                .orElseGet(() -> declared.isAnnotated(name.method())
                        ? List.of()
                        : new DerivedQueryRoutes(repository, shards).uses(name));
    }

    private static MethodRoute inScope(MethodName name, String why) {
        return new MethodRoute.NeedsScope(name, why);
    }

    /** Returns whether the results of a method, or of all methods of its repository, are stored by a key that does not name the scope. */
    private boolean isCachedWithoutScope(Method method) {
        Collection<CacheOperation> operations = CACHING.parseCacheAnnotations(method);
        Collection<CacheOperation> all =
                operations == null ? CACHING.parseCacheAnnotations(repository.getRepositoryInterface()) : operations;
        return all != null
                && all.stream()
                        .filter(operation -> !(operation instanceof CacheEvictOperation))
                        .anyMatch(operation -> operation.getKeyGenerator().isEmpty()
                                && !operation.getKey().contains(ShardContext.class.getSimpleName()));
    }
}
