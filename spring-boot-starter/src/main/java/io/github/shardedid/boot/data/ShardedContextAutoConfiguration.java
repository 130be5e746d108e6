package io.github.shardedid.boot.data;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.routing.ShardContext;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskDecorator;

/**
 * Auto-configuration of the context of a thread: tasks of Boot's executors, such as those of {@code @Async}, run in the {@link
 * ShardContext} of the thread that submits them.
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
}
