package io.github.shardedid.boot.data;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedDataSource;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMdc;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.TaskDecorator;

/**
 * Auto-configuration of the context of a thread: tasks of Boot's executors, such as those of {@code @Async}, run in the {@link
 * ShardContext} of the thread that submits them, and log lines name the shard and the database that a thread uses.
 */
@AutoConfiguration(after = ShardedIdAutoConfiguration.class)
@ConditionalOnShardedDatabases
public final class ShardedContextAutoConfiguration {
    ShardedContextAutoConfiguration() {}

    /** Does not back off to other task decorators: Boot applies all of them. */
    @Bean
    @ConditionalOnMissingBean(name = "shardedIdTaskDecorator")
    TaskDecorator shardedIdTaskDecorator() {
        return ShardContext::carry;
    }

    @Bean
    @Lazy(false)
    @ConditionalOnBean(RoutingDataSource.class)
    @ConditionalOnBooleanProperty(name = "sharded-id.mdc.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean
    ShardMdc shardedIdMdc(ConfigurableListableBeanFactory beans) {
        return ShardMdc.of(ShardedDataSource.of(beans));
    }
}
