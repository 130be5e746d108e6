package io.github.shardedid.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the environment configures a database of a sharded cluster. */
final class OnShardedDatabases extends SpringBootCondition {
    private static final String PROPERTY = "sharded-id.databases";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Sharded databases");
        return ConfiguredCluster.isConfigured(context.getEnvironment())
                ? ConditionOutcome.match(message.found("property").items(PROPERTY))
                : ConditionOutcome.noMatch(message.didNotFind("property").items(PROPERTY));
    }
}
