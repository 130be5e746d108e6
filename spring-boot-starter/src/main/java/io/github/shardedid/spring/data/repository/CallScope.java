package io.github.shardedid.spring.data.repository;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Opens the scope of a call around the query, or around what Spring Data implements. Called last: what belongs to the application, such as
 * listeners of domain events and of transactions, runs outside of the scope.
 */
public final class CallScope implements MethodInterceptor {
    private static final String OPENING = CallScope.class.getName();

    private record Opening(Target target, boolean ownCode) {}

    /** The only one. */
    public static final CallScope INSTANCE = new CallScope();

    private CallScope() {}

    /**
     * Proceeds with a call, whose statements go to a target.
     *
     * @param call the call
     * @param target where its statements go
     * @param ownCode whether it executes code of the application, which asks for that scope by {@code @AllShards} or
     *     {@code @ShardKey}: then its own calls of repositories are in the scope, too
     * @return what the call returns
     * @throws Throwable what the call throws
     */
    public static @Nullable Object proceed(MethodInvocation call, Target target, boolean ownCode) throws Throwable {
        ((ProxyMethodInvocation) call).setUserAttribute(OPENING, new Opening(target, ownCode));
        return call.proceed();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        if (!(((ProxyMethodInvocation) call).getUserAttribute(OPENING) instanceof Opening opening)) {
            return call.proceed();
        }
        try (ShardContext.Scope scope =
                opening.ownCode ? ShardContext.open(opening.target) : RoutedScope.open(opening.target)) {
            return call.proceed();
        }
    }
}
