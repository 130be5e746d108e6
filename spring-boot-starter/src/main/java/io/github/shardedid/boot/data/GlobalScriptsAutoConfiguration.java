package io.github.shardedid.boot.data;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.ApplicationDataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.sql.autoconfigure.init.ApplicationScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.SqlInitializationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that runs the scripts of {@code spring.sql.init} in the global schema: those of a shard are migrations.
 */
@AutoConfiguration(after = ShardedIdAutoConfiguration.class, before = DataSourceInitializationAutoConfiguration.class)
@ConditionalOnShardedDatabases
@ConditionalOnProperty("sharded-id.global.database")
@ConditionalOnProperty(name = "spring.sql.init.mode", havingValue = "always")
@ConditionalOnBean(ShardedDatabases.class)
@EnableConfigurationProperties(SqlInitializationProperties.class)
public final class GlobalScriptsAutoConfiguration {
    GlobalScriptsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(ApplicationScriptDatabaseInitializer.class)
    ApplicationDataSourceScriptDatabaseInitializer shardedIdGlobalScripts(
            @Qualifier("globalDataSource") DataSource global, SqlInitializationProperties properties) {
        return new ApplicationDataSourceScriptDatabaseInitializer(global, properties);
    }
}
