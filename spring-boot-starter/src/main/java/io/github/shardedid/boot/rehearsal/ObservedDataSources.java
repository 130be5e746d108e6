package io.github.shardedid.boot.rehearsal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Notifies of the statements of the application's data sources, just before they are executed. The beans keep their types, and nothing
 * else differs.
 *
 * @param executed receives the text, and the connection of the pool
 */
record ObservedDataSources(BiConsumer<String, Connection> executed)
        implements BeanPostProcessor, AopInfrastructureBean {
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof DataSource)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
        proxy.addAdvice((MethodInterceptor) call -> {
            Object result = call.proceed();
            return result instanceof Connection connection ? observed(connection) : result;
        });
        return proxy.getProxy(bean.getClass().getClassLoader());
    }

    private Connection observed(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            return result instanceof Statement statement
                    ? observed((Connection) proxy, connection, statement, firstText(arguments))
                    : result;
        });
    }

    private Statement observed(Connection owner, Connection pooled, Statement statement, @Nullable String prepared) {
        Class<? extends Statement> type = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return proxy(type, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return owner;
            }
            boolean executes = method.getName().startsWith("execute");
            String given = executes || method.getName().equals("addBatch") ? firstText(arguments) : null;
            String sql = given == null && executes ? prepared : given;
            if (sql != null) {
                executed.accept(sql, pooled);
            }
            return invoke(statement, method, arguments);
        });
    }

    private static @Nullable String firstText(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : null;
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ObservedDataSources.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
