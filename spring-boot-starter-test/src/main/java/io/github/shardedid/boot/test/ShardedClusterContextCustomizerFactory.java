package io.github.shardedid.boot.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Finds the annotation on test classes and their enclosing classes, also as a meta-annotation. */
final class ShardedClusterContextCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        AutoConfigureShardedCluster annotation = of(testClass);
        return annotation == null ? null : new ShardedClusterContextCustomizer(ClusterSettings.of(annotation));
    }

    static @Nullable AutoConfigureShardedCluster of(Class<?> testClass) {
        return TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureShardedCluster.class);
    }
}
