package io.github.shardedid.boot.web;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.spring.json.IdModelConverter;
import io.swagger.v3.core.converter.ModelConverter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of ids in OpenAPI documents of swagger-core: strings. Springdoc registers all converter beans. */
@AutoConfiguration(after = ShardedIdTextAutoConfiguration.class)
@ConditionalOnShardedDatabases
@ConditionalOnClass(ModelConverter.class)
@ConditionalOnBean(IdText.class)
public final class ShardedOpenApiAutoConfiguration {
    ShardedOpenApiAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    IdModelConverter shardedIdModelConverter(IdText ids) {
        return new IdModelConverter(ids);
    }
}
