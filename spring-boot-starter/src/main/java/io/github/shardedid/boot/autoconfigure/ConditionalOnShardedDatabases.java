package io.github.shardedid.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Condition that matches if {@code sharded-id.databases} contains a database. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnShardedDatabases.OnShardedDatabases.class)
public @interface ConditionalOnShardedDatabases {
    /** Matches if the environment configures a database of a sharded cluster. */
    final class OnShardedDatabases extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean found = ConfiguredCluster.isConfigured(context.getEnvironment());
            String why = (found ? "found" : "did not find") + " property sharded-id.databases";
            return new ConditionOutcome(
                    found, ConditionMessage.forCondition("Sharded databases").because(why));
        }
    }
}
