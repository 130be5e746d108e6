package io.github.shardedid.boot.test;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** Makes the databases of an application context, and puts them in the place of those that are configured. */
record ShardedClusterContextCustomizer(ClusterSettings settings) implements ContextCustomizer {
    private static final String DATABASES = "shardedIdTestDatabases";
    private static final String CLUSTER = "shardedIdTestCluster";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        ClassLoader classLoader = context.getClassLoader();
        TestDatabases databases =
                TestDatabases.create(settings, classLoader == null ? getClass().getClassLoader() : classLoader);
        TestProperties.apply(context.getEnvironment(), settings, databases);
        DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
        beans.registerSingleton(DATABASES, databases);
        // What is registered first is destroyed last: after the pools.
        beans.registerDisposableBean(DATABASES, databases::drop);
        beans.registerSingleton(CLUSTER, new ShardedCluster(beans, databases));
        context.addBeanFactoryPostProcessor(ShardedClusterContextCustomizer::forgetOtherConnections);
    }

    /** A production's source of passwords, say, must not be asked for the databases of a test. */
    private static void forgetOtherConnections(ConfigurableListableBeanFactory factory) {
        DefaultListableBeanFactory beans = (DefaultListableBeanFactory) factory;
        for (String name : beans.getBeanNamesForType(ShardedConnectionDetails.class, true, false)) {
            if (beans.containsBeanDefinition(name)) {
                beans.removeBeanDefinition(name);
            }
        }
    }
}
