package io.github.shardedid.boot.condition;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if no data source is {@code @Primary} yet. */
public final class OnNoPrimaryDataSource extends SpringBootCondition implements ConfigurationCondition {
    /** Creates an instance. */
    public OnNoPrimaryDataSource() {}

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return OnPrimaryDataSource.outcome(context.getBeanFactory(), false);
    }
}
