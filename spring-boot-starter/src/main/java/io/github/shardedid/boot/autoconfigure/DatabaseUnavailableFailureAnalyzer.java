package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.routing.DatabaseUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Says of a start that failed because something asked for a shard of a database that is down, which database, and where. */
final class DatabaseUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseUnavailableException> {
    private final Environment environment;

    DatabaseUnavailableFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DatabaseUnavailableException cause) {
        String message = String.valueOf(cause.getMessage());
        String addresses = DatabaseAddresses.ofThoseNamedIn(message, environment);
        return new FailureAnalysis(
                addresses.isEmpty() ? message : message + " It is looked for at:" + addresses,
                "Start the database, or correct sharded-id.databases.<name>.url, username and password. The application itself starts"
                        + " without it: what asked for one of its shards at start can do so later, or go on when that fails.",
                cause);
    }
}
