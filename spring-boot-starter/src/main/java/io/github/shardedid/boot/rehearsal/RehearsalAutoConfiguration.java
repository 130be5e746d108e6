package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.spring.data.RehearsedRepositoryPostProcessor;
import io.github.shardedid.spring.data.RepositoryRoutes;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.test.context.event.PrepareTestInstanceEvent;

/** Auto-configuration of the rehearsal, with {@code sharded-id.rehearsal=true}. */
@AutoConfiguration(before = HibernateJpaAutoConfiguration.class)
@ConditionalOnProperty("sharded-id.rehearsal")
public final class RehearsalAutoConfiguration {
    RehearsalAutoConfiguration() {}

    @Bean
    static BeanFactoryPostProcessor shardedIdRehearsalCheck(Environment environment) {
        return beans -> {
            if (ConfiguredCluster.isConfigured(environment)) {
                throw new ShardedIdPropertiesException("sharded-id.rehearsal is true, but sharded-id.databases names"
                        + " databases: a rehearsal runs without shards. Remove one of the two.");
            }
        };
    }

    /** Static, without dependencies, and of the infrastructure, since post-processors need it. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RehearsalRecorder shardedIdRehearsalRecorder() {
        return new RehearsalRecorder();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RepositoryRoutes shardedIdRehearsedRoutes() {
        return new RepositoryRoutes();
    }

    @Bean
    static ObservedDataSources shardedIdObservedDataSources(RehearsalRecorder recorder) {
        return new ObservedDataSources(new ObservedConnections(recorder::executed));
    }

    @Bean
    static RehearsedRepositoryPostProcessor shardedIdRehearsedRepositories(
            ObjectProvider<EntityManagerFactory> factories, RepositoryRoutes routes, RehearsalRecorder recorder) {
        return new RehearsedRepositoryPostProcessor(factories::stream, routes, recorder);
    }

    @Bean
    HibernatePropertiesCustomizer shardedIdRehearsalHibernateProperties(RehearsalRecorder recorder) {
        return properties -> properties.put(ShardingSettings.REHEARSAL, recorder);
    }

    @Bean
    RehearsedTests shardedIdRehearsedTests() {
        return new RehearsedTests();
    }

    /** Needs neither a data source nor an entity manager factory: a context may have none. */
    @Bean
    ShardRehearsal shardedIdRehearsal(
            ApplicationContext context, RehearsedTests tests, RepositoryRoutes routes, RehearsalRecorder recorder) {
        String file = context.getEnvironment().getProperty(ReportFile.PROPERTY);
        return new ShardRehearsal(context, tests, routes, recorder, ReportFile.of(file, Path.of("")));
    }

    /** In tests, whose classes tell the contexts apart. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PrepareTestInstanceEvent.class)
    static class InTests {
        @Bean
        ApplicationListener<PrepareTestInstanceEvent> shardedIdRehearsedTestListener(RehearsedTests tests) {
            return new TestListener(tests);
        }
    }

    /** A class, since a lambda does not tell the type of its event. */
    private record TestListener(RehearsedTests tests) implements ApplicationListener<PrepareTestInstanceEvent> {
        @Override
        public void onApplicationEvent(PrepareTestInstanceEvent event) {
            tests.add(event.getTestContext().getTestClass());
        }
    }
}
