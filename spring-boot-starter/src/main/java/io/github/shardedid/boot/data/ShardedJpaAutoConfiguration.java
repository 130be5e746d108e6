package io.github.shardedid.boot.data;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedDataSource;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.ShardedRepositoryPostProcessor;
import io.github.shardedid.topology.ShardPlacement;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.SchemaToolingSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.TransactionManager;

/** Auto-configuration of Hibernate and Spring Data JPA on a sharded cluster. */
@AutoConfiguration(
        after = {ShardedIdAutoConfiguration.class, TransactionManagerCustomizationAutoConfiguration.class},
        before = HibernateJpaAutoConfiguration.class)
@ConditionalOnShardedDatabases
@ConditionalOnBean(RoutingDataSource.class)
@Conditional(ShardedJpaAutoConfiguration.OnHibernateJpaCondition.class)
@EnableConfigurationProperties(ShardedIdProperties.class)
public final class ShardedJpaAutoConfiguration {
    ShardedJpaAutoConfiguration() {}

    @Bean
    HibernatePropertiesCustomizer shardedIdHibernatePropertiesCustomizer(
            DataSource dataSource,
            ShardPlacement placement,
            JvmIdOptions jvmIdOptions,
            ShardedIdProperties sharded,
            StagedProvisioning provisioning,
            ConfigurableListableBeanFactory beans) {
        ShardedDataSource.unwrapped(dataSource, beans);
        // Not the data source itself, which Hibernate finds: another session factory of the application may have
        // another.
        return properties -> {
            Object ddl = properties.get(SchemaToolingSettings.HBM2DDL_AUTO);
            SchemaManagementGuard.check(SchemaToolingSettings.HBM2DDL_AUTO, ddl);
            properties.put(SchemaToolingSettings.HBM2DDL_AUTO, SchemaManagementGuard.valueFor(ddl));
            properties.put(ShardingSettings.SHARD_PLACEMENT, placement);
            properties.put(ShardingSettings.JVM_ID_OPTIONS, jvmIdOptions);
            properties.put(ShardingSettings.CHECKED_START, provisioning);
            Consumer<Map<String, Set<String>>> columns = provisioning::colocated;
            properties.put(ShardingSettings.COLOCATED_COLUMNS, columns);
            properties.put(ShardingSettings.BUILD_CLAIMS, sharded.uniqueValues().build());
            properties.put(
                    ShardingSettings.CHECK_SEQUENCES, sharded.provisioning().checkSequences());
        };
    }

    /** Refuses properties in the environment before anything is written to a database. */
    @Bean
    static BeanFactoryPostProcessor shardedIdHibernatePropertyCheck(Environment environment) {
        return beans -> List.of(
                        "spring.jpa.hibernate.ddl-auto",
                        "spring.jpa.properties." + SchemaToolingSettings.HBM2DDL_AUTO,
                        "spring.jpa.properties." + SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION)
                .forEach(property -> SchemaManagementGuard.check(property, environment.getProperty(property)));
    }

    @Bean
    static SchemaManagementGuard shardedIdSchemaManagementGuard() {
        return new SchemaManagementGuard();
    }

    @Bean
    @ConditionalOnMissingBean
    static ShardedRepositoryPostProcessor shardedIdRepositoryPostProcessor(
            ObjectProvider<EntityManagerFactory> factories, RepositoryRoutes routes) {
        return new ShardedRepositoryPostProcessor(factories::stream, routes);
    }

    @Bean
    static DuplicateValueTranslation shardedIdDuplicateValueTranslation(
            ObjectProvider<SQLExceptionTranslator> translators) {
        return new DuplicateValueTranslation(translators);
    }

    /** Static, without dependencies, and of the infrastructure, since a post-processor needs it. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static RepositoryRoutes shardedIdRepositoryRoutes() {
        return new RepositoryRoutes();
    }

    @Bean
    @ConditionalOnMissingBean
    RepositoryCheck shardedIdRepositoryCheck(RepositoryRoutes routes, ShardedIdProperties properties) {
        return new RepositoryCheck(routes, properties.repositories().unroutableMethods());
    }

    /** Lazy: only some applications use it, and some have several persistence units. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    KeyRows shardedIdKeyRows(EntityManagerFactory factory) {
        return KeyRows.of(factory.unwrap(SessionFactory.class)).orElseThrow();
    }

    /** Lazy, since few applications use it. Null if no persistence unit has the data source that routes. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    UniqueAcrossShards.@Nullable Claims shardedIdUniqueClaims(ObjectProvider<EntityManagerFactory> factories) {
        return factories.stream()
                .flatMap(each -> UniqueAcrossShards.Claims.of(each.unwrap(SessionFactory.class)).stream())
                .findFirst()
                .orElse(null);
    }

    @Bean
    @ConditionalOnMissingBean(TransactionManager.class)
    ShardedJpaTransactionManager transactionManager(ObjectProvider<TransactionManagerCustomizers> customizers) {
        ShardedJpaTransactionManager transactions = new ShardedJpaTransactionManager();
        customizers.ifAvailable(all -> all.customize(transactions));
        return transactions;
    }

    /** Matches unless the application has excluded Boot's auto-configuration of Hibernate, because it only uses JDBC. */
    static final class OnHibernateJpaCondition extends SpringBootCondition {
        private static final String HIBERNATE = HibernateJpaAutoConfiguration.class.getName();

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            var beans = context.getBeanFactory();
            boolean excluded = beans != null
                    && ConditionEvaluationReport.get(beans).getExclusions().contains(HIBERNATE);
            String why = HIBERNATE + (excluded ? " is excluded" : " is not excluded");
            return new ConditionOutcome(
                    !excluded, ConditionMessage.forCondition("Hibernate").because(why));
        }
    }
}
