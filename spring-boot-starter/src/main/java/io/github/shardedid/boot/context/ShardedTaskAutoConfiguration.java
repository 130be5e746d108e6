package io.github.shardedid.boot.context;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.routing.ShardContext;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskDecorator;

/** Makes the tasks of Boot's executors, those of {@code @Async} among them, run in the scope in which they were handed in. */
@AutoConfiguration
@ConditionalOnShardedDatabases
public final class ShardedTaskAutoConfiguration {
    ShardedTaskAutoConfiguration() {}

    /** One of several perhaps: Boot applies all task decorators there are. */
    @Bean
    @ConditionalOnMissingBean(name = "shardedIdTaskDecorator")
    TaskDecorator shardedIdTaskDecorator() {
        return ShardContext::carry;
    }
}
