package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Says of a failed start what is wrong, and which property to correct; of databases that are down, where they were looked for. */
final class ShardedIdFailureAnalyzer extends AbstractFailureAnalyzer<ShardedIdException> {
    private static final String FLYWAY =
            "Set spring.flyway.url to a database of its own, or remove spring.flyway.enabled: the scripts of the shards stand at"
                    + " sharded-id.migrations, and are run without Boot's Flyway.";

    private final Environment environment;

    ShardedIdFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ShardedIdException cause) {
        String message = String.valueOf(cause.getMessage());
        String addresses = cause instanceof DatabasesUnreachableException
                ? DatabaseAddresses.ofThoseNamedIn(message, environment)
                : "";
        return new FailureAnalysis(
                addresses.isEmpty() ? message : message + " They are looked for at:" + addresses,
                isOfBootsFlyway(rootFailure) ? FLYWAY : FailureActions.of(cause),
                cause);
    }

    /** By the name of its bean; the class may not be there. */
    private static boolean isOfBootsFlyway(Throwable rootFailure) {
        for (Throwable at = rootFailure; at != null; at = at.getCause()) {
            if (at instanceof BeanCreationException creation && "flywayInitializer".equals(creation.getBeanName())) {
                return true;
            }
        }
        return false;
    }
}
