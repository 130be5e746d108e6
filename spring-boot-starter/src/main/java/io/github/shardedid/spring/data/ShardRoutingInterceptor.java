package io.github.shardedid.spring.data;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.repository.CallScope;
import io.github.shardedid.spring.data.repository.OrderedFluentQuery;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;

/**
 * Determines the target of each call of a repository method, for a {@link CallScope}. Called before the transaction interceptor, since a
 * call may be refused, or be one transaction per shard.
 */
final class ShardRoutingInterceptor implements MethodInterceptor {
    private final MethodRoutes routes;

    ShardRoutingInterceptor(MethodRoutes routes) {
        this.routes = routes;
    }

    /** A call within another one, as by an expression in its query, begins in the scope that the application has opened. */
    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        try (ShardContext.Scope scope = RoutedScope.ofApplication()) {
            MethodRoute route = routes.of(call.getMethod());
            return routes.isByStatement(route)
                    ? proceedByStatement(call)
                    : proceed(call, route.of(call.getArguments()));
        }
    }

    /** The statement is routed when it is executed: to several shards, for all that is known here. */
    private @Nullable Object proceedByStatement(MethodInvocation call) throws Throwable {
        if (ShardContext.current().isEmpty()) {
            orderPage(call);
        }
        try {
            return call.proceed();
        } catch (UnroutableMethodException ofAnother) {
            throw ofAnother;
        } catch (NoShardException e) {
            throw ShardContext.target() == null ? routes.unroutable(call.getMethod(), e) : e;
        }
    }

    private @Nullable Object proceed(MethodInvocation call, CallTarget target) throws Throwable {
        if (target instanceof CallTarget.ToShard to) {
            return proceed(call, Target.shard(to.shard()));
        }
        if (target instanceof CallTarget.ToShards to) {
            orderPage(call);
            return proceed(call, to.shards());
        }
        if (target instanceof CallTarget.PerShard perShard) {
            return new CallPerShard(call, routes.name(call.getMethod())).proceed(perShard);
        }
        if (ShardContext.currentSet().isPresent()) {
            orderPage(call);
        }
        return target instanceof CallTarget.ToNothing nothing ? nothing(call, nothing.why()) : call.proceed();
    }

    private @Nullable Object proceed(MethodInvocation call, Target target) throws Throwable {
        return CallScope.proceed(call, target, routes.isOwnCode(call.getMethod()));
    }

    /** Any shard knows that there are no such rows, and what the query returns then. */
    private @Nullable Object nothing(MethodInvocation call, RuntimeException why) throws Throwable {
        return routes.knowsNothing(call.getMethod())
                ? NothingFound.by(call.getMethod(), call.getArguments(), why)
                : proceed(call, Target.shard(0));
    }

    /** A page without an order would overlap with others, since the rows of several shards come in any order. */
    private void orderPage(MethodInvocation call) {
        @Nullable Object[] arguments = call.getArguments();
        boolean fluent = call.getMethod().getName().equals("findBy");
        for (int i = 0; i < arguments.length; i++) {
            boolean page = arguments[i] instanceof PageRequest request
                    && request.getSort().isUnsorted();
            boolean query = fluent && arguments[i] instanceof Function;
            Sort order = page || query ? routes.pageOrder(call.getMethod()) : Sort.unsorted();
            if (order.isSorted()) {
                orderBy(order, arguments, i);
            }
        }
    }

    private static void orderBy(Sort order, @Nullable Object[] arguments, int position) {
        if (arguments[0] instanceof Specification<?> specification) {
            boolean page = arguments[position] instanceof PageRequest;
            arguments[0] = new OrderedSpecification<>(specification, order, page);
        } else if (arguments[position] instanceof PageRequest request) {
            arguments[position] = request.withSort(order);
        } else if (arguments[position] instanceof Function<?, ?> function) {
            arguments[position] = OrderedFluentQuery.function(function, order);
        }
    }
}
