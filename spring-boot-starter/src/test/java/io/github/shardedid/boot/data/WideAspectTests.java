package io.github.shardedid.boot.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties.Unroutable;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.ShardedRepositoryPostProcessor;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** An aspect of the application may apply to each bean of a context: Spring then makes a subclass of it, if it has to. */
@Tag("quick")
class WideAspectTests {
    @Test
    void leavesOurPostProcessorsAlone() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        MethodInterceptor aspect = MethodInvocation::proceed;
        beans.registerSingleton("aspect", new DefaultPointcutAdvisor(aspect));
        DefaultAdvisorAutoProxyCreator proxies = new DefaultAdvisorAutoProxyCreator();
        proxies.setProxyTargetClass(true);
        proxies.setBeanFactory(beans);
        for (Object bean : new Object[] {
            new SchemaManagementGuard(),
            new ShardedRepositoryPostProcessor(Stream::empty, new RepositoryRoutes()),
            new RepositoryRoutes(),
            new RepositoryCheck(new RepositoryRoutes(), Unroutable.REPORT)
        }) {
            assertThat(proxies.postProcessAfterInitialization(bean, "bean")).isSameAs(bean);
        }
    }
}
