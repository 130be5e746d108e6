package io.github.shardedid.spring.data.call;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.data.repository.Repository;

/**
 * Opens the scope of a call around the query, or around what Spring Data implements. Called last: what belongs to the application, such as
 * listeners of domain events and of transactions, runs outside of the scope.
 */
public final class CallScope implements MethodInterceptor {
    private static final String TARGET = CallScope.class.getName();

    /** The only one. */
    public static final CallScope INSTANCE = new CallScope();

    private CallScope() {}

    /**
     * Proceeds with a call, whose statements go to a target.
     *
     * @param call the call
     * @param target where its statements go
     * @return what the call returns
     * @throws Throwable what the call throws
     */
    public static @Nullable Object proceed(MethodInvocation call, Target target) throws Throwable {
        ((ProxyMethodInvocation) call).setUserAttribute(TARGET, target);
        return call.proceed();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        if (!(((ProxyMethodInvocation) call).getUserAttribute(TARGET) instanceof Target target)) {
            return call.proceed();
        }
        // Code of the application in a method that has @AllShards or @ShardKey asks for that scope.
        try (ShardContext.Scope scope =
                isOwnCode(call.getMethod()) ? ShardContext.open(target) : RoutedScope.open(target)) {
            return call.proceed();
        }
    }

    private static boolean isOwnCode(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return method.isDefault()
                || !(Repository.class.isAssignableFrom(declaring)
                        || declaring.getName().startsWith("org.springframework.data."));
    }
}
