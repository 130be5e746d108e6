package io.github.shardedid.boot.test;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** Creates the databases of an application context, and replaces the configured ones with them. */
record ShardedClusterContextCustomizer(ClusterSettings settings) implements ContextCustomizer {
    private static final String DATABASES = "shardedIdTestDatabases";
    private static final String CLUSTER = "shardedIdTestCluster";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        ClassLoader classLoader = context.getClassLoader();
        ClusterSettings known = settings.in(context.getEnvironment());
        TestDatabases databases =
                TestDatabases.create(known, classLoader == null ? getClass().getClassLoader() : classLoader);
        TestProperties.apply(context.getEnvironment(), known, databases);
        DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
        beans.registerSingleton(DATABASES, databases);
        // The bean that is registered first is destroyed last, after the pools.
        beans.registerDisposableBean(DATABASES, databases::drop);
        beans.registerSingleton(CLUSTER, new ShardedCluster(beans, databases));
        context.addBeanFactoryPostProcessor(ShardedClusterContextCustomizer::forgetOtherConnections);
    }

    /** Removes other connection details, such as a source of passwords for production. */
    private static void forgetOtherConnections(ConfigurableListableBeanFactory factory) {
        DefaultListableBeanFactory beans = (DefaultListableBeanFactory) factory;
        for (String name : beans.getBeanNamesForType(ShardedConnectionDetails.class, true, false)) {
            if (beans.containsBeanDefinition(name)) {
                beans.removeBeanDefinition(name);
            }
        }
    }
}
