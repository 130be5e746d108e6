package io.github.shardedid.boot.data;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Auto-configuration of an ordinary data source for the global database, for tables that belong to no shard, such as those of a
 * job scheduler. Its beans are injected by name or by the qualifiers of the libraries that have one, never by type alone.
 *
 * <p>After the auto-configurations of transaction managers, so that these do not back off from the one of the global database.
 */
@AutoConfiguration(
        after = {
            ShardedIdAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            DataSourceTransactionManagerAutoConfiguration.class,
            JdbcClientAutoConfiguration.class
        })
@ConditionalOnShardedDatabases
@ConditionalOnProperty("sharded-id.global.database")
@ConditionalOnBean(ShardedDatabases.class)
public final class GlobalDataSourceAutoConfiguration {
    private static final String DATA_SOURCE = "globalDataSource";
    private static final String TRANSACTION_MANAGER = "globalTransactionManager";

    /** Named by texts, as these libraries may be missing. */
    private static final List<String> DATA_SOURCE_QUALIFIERS = List.of(
            "org.springframework.boot.batch.jdbc.autoconfigure.BatchDataSource",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseDataSource",
            "org.springframework.boot.quartz.autoconfigure.QuartzDataSource",
            "org.springframework.session.jdbc.config.annotation.SpringSessionDataSource");

    private static final List<String> TRANSACTION_MANAGER_QUALIFIERS = List.of(
            "org.springframework.boot.batch.jdbc.autoconfigure.BatchTransactionManager",
            "org.springframework.boot.quartz.autoconfigure.QuartzTransactionManager",
            "org.springframework.session.jdbc.config.annotation.SpringSessionTransactionManager");

    GlobalDataSourceAutoConfiguration() {}

    /** Libraries find these beans as if each had the qualifier annotation of the library. */
    @Bean
    static BeanFactoryPostProcessor shardedIdGlobalQualifiers() {
        return beans -> {
            qualify(DATA_SOURCE, DATA_SOURCE_QUALIFIERS, beans);
            qualify(TRANSACTION_MANAGER, TRANSACTION_MANAGER_QUALIFIERS, beans);
        };
    }

    private static void qualify(String bean, List<String> annotations, ConfigurableListableBeanFactory beans) {
        if (beans.containsBeanDefinition(bean)
                && beans.getBeanDefinition(bean) instanceof AbstractBeanDefinition definition) {
            annotations.forEach(name -> definition.addQualifier(new AutowireCandidateQualifier(name)));
        }
    }

    /** Depends on the shard map, so that the schema exists. The pool is closed with the other pools. */
    @Bean(name = DATA_SOURCE, defaultCandidate = false, destroyMethod = "")
    @Fallback
    @ConditionalOnMissingBean(name = DATA_SOURCE)
    DataSource globalDataSource(ShardedDatabases databases, CurrentShardMap provisioned) {
        DataSource global = databases.global();
        if (global == null) {
            throw new ClusterConfigurationException(
                    "The ShardedDatabases bean has no data source for the global database."
                            + " Add one with ShardedDatabases.withGlobal, whose connections have the schema of sharded-id.global.schema"
                            + " as their current schema, or define a bean globalDataSource.");
        }
        return global;
    }

    @Bean(name = TRANSACTION_MANAGER, defaultCandidate = false)
    @Fallback
    @ConditionalOnMissingBean(name = TRANSACTION_MANAGER)
    JdbcTransactionManager globalTransactionManager(@Qualifier(DATA_SOURCE) DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean(defaultCandidate = false)
    @Fallback
    @ConditionalOnMissingBean(name = "globalJdbcClient")
    JdbcClient globalJdbcClient(@Qualifier(DATA_SOURCE) DataSource dataSource) {
        return JdbcClient.create(dataSource);
    }
}
