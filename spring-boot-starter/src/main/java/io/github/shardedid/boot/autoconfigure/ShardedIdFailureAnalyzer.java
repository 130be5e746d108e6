package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says of a failed start what is wrong, and which property to correct. */
final class ShardedIdFailureAnalyzer extends AbstractFailureAnalyzer<ShardedIdException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ShardedIdException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), FailureActions.of(cause), cause);
    }
}
