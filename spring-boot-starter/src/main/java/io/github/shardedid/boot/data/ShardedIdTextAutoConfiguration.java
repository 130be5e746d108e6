package io.github.shardedid.boot.data;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.spring.id.FailedRequestAdvice;
import io.github.shardedid.spring.id.IdConverter;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.spring.id.ShardedIdModule;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import tools.jackson.databind.JacksonModule;

/**
 * Auto-configuration of ids for clients: text in JSON and in request parameters. Uses no database, so that it works in test slices.
 */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        beforeName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnShardedDatabases
@EnableConfigurationProperties(ShardedIdProperties.class)
public final class ShardedIdTextAutoConfiguration {
    ShardedIdTextAutoConfiguration() {}

    /** Uses the layout of the cluster definition; test slices have no such bean. */
    @Bean
    @ConditionalOnMissingBean
    IdText shardedIdText(ObjectProvider<ClusterDefinition> definition, ShardedIdProperties properties) {
        return new IdText(
                definition(definition, properties).layout(), properties.json().idsAs());
    }

    private static ClusterDefinition definition(
            ObjectProvider<ClusterDefinition> definition, ShardedIdProperties properties) {
        return definition.getIfAvailable(() -> ConfiguredCluster.definitionOf(properties));
    }

    @Bean
    @ConditionalOnMissingBean
    IdConverter shardedIdConverter(IdText ids) {
        return new IdConverter(ids);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ProblemDetail.class, RestControllerAdvice.class})
    static class Web {
        @Bean
        @ConditionalOnMissingBean
        FailedRequestAdvice shardedIdFailedRequestAdvice() {
            return new FailedRequestAdvice();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JacksonModule.class)
    static class Json {
        /** Boot registers all modules with its mappers. */
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnExpression("!'number'.equalsIgnoreCase('${sharded-id.json.ids-as:}')")
        ShardedIdModule shardedIdModule(
                IdText ids, ObjectProvider<ClusterDefinition> definition, ShardedIdProperties properties) {
            ClusterDefinition cluster = definition(definition, properties);
            return new ShardedIdModule(ids, cluster.layout(), cluster::shardCount);
        }
    }
}
