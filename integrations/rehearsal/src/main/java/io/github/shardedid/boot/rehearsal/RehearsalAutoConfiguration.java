package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.hibernate.rehearsal.Rehearsal;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.ShardedRepositoryPostProcessor;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Auto-configuration of the rehearsal of an application without {@code sharded-id.databases}, unless {@code sharded-id.rehearsal=false}. */
@AutoConfiguration(before = HibernateJpaAutoConfiguration.class)
@ConditionalOnProperty(name = "sharded-id.rehearsal", matchIfMissing = true)
@Conditional(RehearsalAutoConfiguration.OnNoDatabases.class)
public final class RehearsalAutoConfiguration {
    RehearsalAutoConfiguration() {}

    /** An application whose databases are named has shards. The artifact may stay on the class path of its tests. */
    static final class OnNoDatabases implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !ConfiguredCluster.isConfigured(context.getEnvironment());
        }
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
        return new ShardedRepositoryPostProcessor(factories::stream, routes, new RehearsedCalls(rehearsal::refused));
    }

    @Bean
    HibernatePropertiesCustomizer shardedIdRehearsalHibernateProperties(ShardRehearsal rehearsal) {
        return properties -> properties.put(Rehearsal.SETTING, rehearsal);
    }
}
