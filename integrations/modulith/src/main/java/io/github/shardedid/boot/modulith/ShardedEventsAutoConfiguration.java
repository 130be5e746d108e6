package io.github.shardedid.boot.modulith;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.modulith.events.core.EventPublicationRepository;

/**
 * Auto-configuration of Spring Modulith's event publication registry over shards. The repository of {@code spring-modulith-events-jdbc} is used
 * in the scope of a shard; that of {@code spring-modulith-events-jpa}, whose entity is not sharded, is refused.
 */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        afterName = {
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration",
            "org.springframework.modulith.events.jpa.JpaEventPublicationAutoConfiguration"
        },
        beforeName = "org.springframework.modulith.events.config.EventPublicationAutoConfiguration")
@ConditionalOnClass(EventPublicationRepository.class)
@ConditionalOnShardedDatabases
public final class ShardedEventsAutoConfiguration {
    private static final String JDBC_REPOSITORY = "jdbcEventPublicationRepository";
    private static final String JPA_REPOSITORY = "jpaEventPublicationRepository";
    private static final String SCHEMA = EventTablesEnvironmentPostProcessor.SCHEMA;

    ShardedEventsAutoConfiguration() {}

    @Bean
    @Primary
    @ConditionalOnBean(name = JDBC_REPOSITORY)
    EventPublicationRepository shardedIdEventPublications(
            @Qualifier(JDBC_REPOSITORY) EventPublicationRepository repository,
            Cluster cluster,
            JdbcOperations jdbc,
            ObjectProvider<EntityManagerFactory> entityManagers) {
        return new ShardedEventPublications(repository, cluster, new TransactionShard(jdbc, entityManagers));
    }

    /** Refuses what would store publications elsewhere than in the shard of their transaction. */
    @Bean
    static BeanFactoryPostProcessor shardedIdEventPublicationsCheck(Environment environment) {
        return beans -> {
            if (beans.containsBeanDefinition(JPA_REPOSITORY)) {
                throw new ClusterConfigurationException(
                        "spring-modulith-events-jpa stores event publications as an entity that is not sharded, so not in the"
                                + " shard of their transaction. Use spring-modulith-starter-jdbc instead of"
                                + " spring-modulith-starter-jpa.");
            }
            String schema = environment.getProperty(SCHEMA);
            if (beans.containsBeanDefinition(JDBC_REPOSITORY) && !RoutingDataSource.SCHEMA_PLACEHOLDER.equals(schema)) {
                throw new ClusterConfigurationException(SCHEMA + " is " + schema
                        + ", but event publications are stored in the schema of the shard of their transaction. Set the property to "
                        + RoutingDataSource.SCHEMA_PLACEHOLDER + ", which stands for that schema.");
            }
        };
    }
}
