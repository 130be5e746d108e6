package io.github.shardedid.boot.condition;

import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a data source is {@code @Primary} already, for example one that wraps the sharded data source. */
public final class OnPrimaryDataSource extends SpringBootCondition implements ConfigurationCondition {
    /** Creates an instance. */
    public OnPrimaryDataSource() {}

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return outcome(context.getBeanFactory(), true);
    }

    static ConditionOutcome outcome(@Nullable ConfigurableListableBeanFactory beans, boolean wanted) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Primary data source");
        Optional<String> primary = beans == null ? Optional.empty() : primary(beans);
        return new ConditionOutcome(
                primary.isPresent() == wanted,
                primary.map(name -> message.found("bean").items(name))
                        .orElseGet(() -> message.didNotFind("bean").atAll()));
    }

    /**
     * The name of the data source bean that is {@code @Primary}.
     *
     * @param beans the beans, of which none is created
     * @return the name, or empty if there is none
     */
    public static Optional<String> primary(ConfigurableListableBeanFactory beans) {
        return Stream.of(beans.getBeanNamesForType(DataSource.class, true, false))
                .filter(beans::containsBeanDefinition)
                .filter(name -> beans.getMergedBeanDefinition(name).isPrimary())
                .findFirst();
    }
}
