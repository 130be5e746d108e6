package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.ShardedRepositoryPostProcessor;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.ApplicationContext;
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

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RepositoryRoutes shardedIdRehearsedRoutes() {
        return new RepositoryRoutes();
    }

    /** Static and of the infrastructure, since post-processors need it. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ShardRehearsal shardedIdRehearsal(ApplicationContext context, RepositoryRoutes routes) {
        return new ShardRehearsal(context, routes);
    }

    @Bean
    static ObservedDataSources shardedIdObservedDataSources(ShardRehearsal rehearsal) {
        return new ObservedDataSources(rehearsal::executed);
    }

    @Bean
    static ShardedRepositoryPostProcessor shardedIdRehearsedRepositories(
            ObjectProvider<EntityManagerFactory> factories, RepositoryRoutes routes, ShardRehearsal rehearsal) {
        return new ShardedRepositoryPostProcessor(factories::stream, routes, rehearsal::refused);
    }

    @Bean
    HibernatePropertiesCustomizer shardedIdRehearsalHibernateProperties(ShardRehearsal rehearsal) {
        return properties -> properties.put(ShardingSettings.REHEARSAL, rehearsal);
    }
}
