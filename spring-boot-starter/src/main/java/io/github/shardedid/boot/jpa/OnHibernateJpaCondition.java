package io.github.shardedid.boot.jpa;

import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless the application has excluded Boot's auto-configuration of Hibernate, because it only uses JDBC. */
final class OnHibernateJpaCondition extends SpringBootCondition {
    private static final String HIBERNATE = HibernateJpaAutoConfiguration.class.getName();

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var beans = context.getBeanFactory();
        boolean excluded = beans != null
                && ConditionEvaluationReport.get(beans).getExclusions().contains(HIBERNATE);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Hibernate");
        return excluded
                ? ConditionOutcome.noMatch(message.because(HIBERNATE + " is excluded"))
                : ConditionOutcome.match(message.because("its auto-configuration is not excluded"));
    }
}
