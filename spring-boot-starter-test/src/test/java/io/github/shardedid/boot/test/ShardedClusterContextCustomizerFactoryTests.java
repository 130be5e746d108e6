package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.AnnotationConfigContextLoader;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Which classes of tests share an application context. */
class ShardedClusterContextCustomizerFactoryTests {
    @AutoConfigureShardedCluster
    static class Plain {
        @Nested
        class Inner {}
    }

    @AutoConfigureShardedCluster(clean = false, keep = "country")
    static class CleanedOtherwise extends Plain {}

    @AutoConfigureShardedCluster(shards = 16)
    static class MoreShards {}

    @OnTestCluster
    static class Composed {}

    private static @Nullable ContextCustomizer of(Class<?> test) {
        return new ShardedClusterContextCustomizerFactory().createContextCustomizer(test, List.of());
    }

    @Test
    void theClusterDecidesAndNotHowItIsCleaned() {
        assertThat(of(Plain.class)).isEqualTo(of(CleanedOtherwise.class)).hasSameHashCodeAs(of(CleanedOtherwise.class));
        assertThat(of(Plain.Inner.class)).isEqualTo(of(Plain.class));
        assertThat(of(Plain.class)).isNotEqualTo(of(MoreShards.class));
        assertThat(of(Composed.class))
                .isEqualTo(new ShardedClusterContextCustomizer(new ClusterSettings(2, 0, Servers.AUTO, "postgres:18")));
    }

    @Test
    void otherTestsAreLeftAlone() {
        assertThat(of(ShardedClusterContextCustomizerFactoryTests.class)).isNull();
    }

    @Test
    void springFindsIt() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ContextCustomizerFactory.class))
                .hasAtLeastOneElementOfType(ShardedClusterContextCustomizerFactory.class);
    }

    @Test
    void theClassPathOfTheApplicationCounts() {
        MergedContextConfiguration test =
                new MergedContextConfiguration(Shop.class, null, null, null, null, new AnnotationConfigContextLoader());
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.setClassLoader(new FilteredClassLoader(EmbeddedPostgres.class, PostgreSQLContainer.class));
            ShardedClusterContextCustomizer customizer =
                    new ShardedClusterContextCustomizer(new ClusterSettings(2, 0, Servers.AUTO, "postgres:18"));

            assertThatThrownBy(() -> customizer.customizeContext(context, test))
                    .isInstanceOf(TestServersException.class)
                    .hasMessageContaining("neither embedded PostgreSQL nor Testcontainers");
        }
    }
}
