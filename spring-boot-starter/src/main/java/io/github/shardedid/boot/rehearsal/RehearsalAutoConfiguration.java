package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.spring.data.RehearsedRepositoryPostProcessor;
import io.github.shardedid.spring.data.report.RepositoryRoutes;
import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

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
    ShardRehearsal shardedIdRehearsal(
            ObjectProvider<EntityManagerFactory> factory,
            DataSource dataSource,
            RepositoryRoutes routes,
            RehearsalRecorder recorder) {
        return new ShardRehearsal(factory::getObject, dataSource, routes, recorder);
    }
}
