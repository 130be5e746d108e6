package io.github.shardedid.boot.commands;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindingPostProcessor;
import org.springframework.context.annotation.AnnotationConfigUtils;

/**
 * Gets the migrations of an application that does not start. Creates their bean, the beans that customize Flyway or know connections,
 * and the beans that these depend on.
 */
final class MigrationBeans {
    /** Post-processors that inject into fields and methods; they are not registered yet. */
    private static final List<String> INJECTION = List.of(
            AnnotationConfigUtils.AUTOWIRED_ANNOTATION_PROCESSOR_BEAN_NAME,
            AnnotationConfigUtils.COMMON_ANNOTATION_PROCESSOR_BEAN_NAME,
            ConfigurationPropertiesBindingPostProcessor.class.getName());

    private MigrationBeans() {}

    /** Once, before any bean is created. */
    static void prepare(ConfigurableListableBeanFactory beans) {
        INJECTION.stream()
                .filter(beans::containsBeanDefinition)
                .forEach(name -> beans.addBeanPostProcessor(beans.getBean(name, BeanPostProcessor.class)));
    }

    static ShardMigrations migrations(ConfigurableListableBeanFactory beans, ConfiguredCluster cluster) {
        return beans.getBeanProvider(ShardMigrations.class, false)
                .getIfAvailable(() -> cluster.migrations(MigrationBeans.class.getClassLoader()));
    }
}
