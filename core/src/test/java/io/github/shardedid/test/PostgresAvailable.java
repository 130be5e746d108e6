package io.github.shardedid.test;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips integration tests, with a clear word, when containers are asked for and there is no Docker. Registered for all
 * tests in {@code META-INF/services}.
 */
public final class PostgresAvailable implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return PostgresServers.available()
                ? ConditionEvaluationResult.enabled("PostgreSQL is there")
                : ConditionEvaluationResult.disabled(
                        "There is no Docker here: skipped on containers, run on embedded" + " PostgreSQL");
    }
}
