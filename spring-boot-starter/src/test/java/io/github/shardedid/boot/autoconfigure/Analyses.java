package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;

import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyses of failed starts, for tests in other packages. */
public final class Analyses {
    private Analyses() {}

    public static FailureAnalysis of(Throwable failure) {
        return requireNonNull(new ShardedIdFailureAnalyzer().analyze(failure));
    }
}
