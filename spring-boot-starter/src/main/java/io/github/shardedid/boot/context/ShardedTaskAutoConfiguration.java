package io.github.shardedid.boot.context;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.routing.ShardContext;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskDecorator;

/** Auto-configuration that propagates the current {@link ShardContext} to tasks of Boot's executors, such as those of {@code @Async}. */
@AutoConfiguration
@ConditionalOnShardedDatabases
public final class ShardedTaskAutoConfiguration {
    ShardedTaskAutoConfiguration() {}

    /** Does not back off to other task decorators: Boot applies all of them. */
    @Bean
    @ConditionalOnMissingBean(name = "shardedIdTaskDecorator")
    TaskDecorator shardedIdTaskDecorator() {
        return ShardContext::carry;
    }
}
