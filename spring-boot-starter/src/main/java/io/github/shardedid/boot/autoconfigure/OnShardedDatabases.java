package io.github.shardedid.boot.autoconfigure;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the environment names a database of a sharded cluster. */
final class OnShardedDatabases extends SpringBootCondition {
    private static final String PROPERTY = "sharded-id.databases";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Sharded databases");
        return areConfigured(context.getEnvironment())
                ? ConditionOutcome.match(message.found("property").items(PROPERTY))
                : ConditionOutcome.noMatch(message.didNotFind("property").items(PROPERTY));
    }

    static boolean areConfigured(Environment environment) {
        try {
            return Binder.get(environment)
                    .bind(PROPERTY, Bindable.mapOf(String.class, Object.class))
                    .map(Map::isEmpty)
                    .map(empty -> !empty)
                    .orElse(false);
        } catch (BindException e) {
            return true; // What is wrong is said by the check of all properties, without the value.
        }
    }
}
