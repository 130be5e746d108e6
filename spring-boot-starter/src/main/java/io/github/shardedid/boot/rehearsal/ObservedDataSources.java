package io.github.shardedid.boot.rehearsal;

import java.lang.reflect.Modifier;
import java.sql.Connection;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Observes the statements of the application's data sources, whose beans keep their types. */
final class ObservedDataSources implements BeanPostProcessor, AopInfrastructureBean {
    private final ObservedConnections connections;

    ObservedDataSources(ObservedConnections connections) {
        this.connections = connections;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof DataSource)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
        proxy.addAdvice((MethodInterceptor) call -> {
            Object result = call.proceed();
            return result instanceof Connection connection ? connections.of(connection) : result;
        });
        return proxy.getProxy(bean.getClass().getClassLoader());
    }
}
