package io.github.shardedid.boot.rehearsal;

import java.lang.reflect.Modifier;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
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
        return proxy(Connection.class, connection, call -> {
            Object result = call.proceed();
            return result instanceof Statement statement
                    ? observed(
                            (Connection) ((ProxyMethodInvocation) call).getProxy(), connection, statement, text(call))
                    : result;
        });
    }

    private Statement observed(Connection owner, Connection pooled, Statement statement, @Nullable String prepared) {
        Class<? extends Statement> type = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return proxy(type, statement, call -> {
            String method = call.getMethod().getName();
            if (method.equals("getConnection")) {
                return owner;
            }
            boolean executes = method.startsWith("execute");
            String given = executes || method.equals("addBatch") ? text(call) : null;
            String sql = given == null && executes ? prepared : given;
            if (sql != null) {
                executed.accept(sql, pooled);
            }
            return call.proceed();
        });
    }

    /** The text with which a method is called. */
    private static @Nullable String text(MethodInvocation call) {
        return call.getArguments().length > 0 && call.getArguments()[0] instanceof String text ? text : null;
    }

    private static <T> T proxy(Class<? extends T> type, T target, MethodInterceptor advice) {
        ProxyFactory proxy = new ProxyFactory(type, advice);
        proxy.setTarget(target);
        return type.cast(proxy.getProxy(ObservedDataSources.class.getClassLoader()));
    }
}
