package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.provisioning.ShardMigrations;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindingPostProcessor;
import org.springframework.context.annotation.AnnotationConfigUtils;

/**
 * Asks an application that is not to be started for its migrations: their bean is made, those of Flyway's customizers, and what these ask
 * for.
 */
final class MigrationBeans {
    /** Without these a bean gets nothing injected but through its factory method. */
    private static final List<String> INJECTION = List.of(
            AnnotationConfigUtils.AUTOWIRED_ANNOTATION_PROCESSOR_BEAN_NAME,
            AnnotationConfigUtils.COMMON_ANNOTATION_PROCESSOR_BEAN_NAME,
            ConfigurationPropertiesBindingPostProcessor.class.getName());

    private MigrationBeans() {}

    static ShardMigrations of(ConfigurableListableBeanFactory beans, ShardedIdProperties properties) {
        INJECTION.stream()
                .filter(beans::containsBeanDefinition)
                .forEach(name -> beans.addBeanPostProcessor(beans.getBean(name, BeanPostProcessor.class)));
        return beans.getBeanProvider(ShardMigrations.class, false)
                .getIfAvailable(() -> ConfiguredCluster.migrations(
                        properties.migrations(), properties, MigrationBeans.class.getClassLoader()));
    }
}
