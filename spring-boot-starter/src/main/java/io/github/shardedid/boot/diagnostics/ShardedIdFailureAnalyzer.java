package io.github.shardedid.boot.diagnostics;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.routing.DatabaseUnavailableException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Explains a failed start: which property to correct, or which database is not available, and its address. */
final class ShardedIdFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {
    private static final String UNAVAILABLE =
            "Start the database, or correct sharded-id.databases.<name>.url, username and password. The application itself starts"
                    + " without it: change the code that used one of its shards at start-up to do so later, or to handle the failure.";

    private final Environment environment;

    ShardedIdFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, Throwable same) {
        DatabaseUnavailableException unavailable = findCause(failure, DatabaseUnavailableException.class);
        if (unavailable != null) {
            return new FailureAnalysis(
                    withAddresses(String.valueOf(unavailable.getMessage())), UNAVAILABLE, unavailable);
        }
        ShardedIdException cause = findCause(failure, ShardedIdException.class);
        if (cause == null) {
            return null;
        }
        // The message of the mappings' problems contains those of the others.
        String description = cause instanceof ShardedIdMappingException
                ? String.valueOf(cause.getMessage())
                : joined(cause.all().map(Throwable::getMessage));
        return new FailureAnalysis(
                cause.all().anyMatch(ShardedIdFailureAnalyzer::isOfServers) ? withAddresses(description) : description,
                joined(cause.all().map(FailureActions::of)),
                cause);
    }

    private static String joined(Stream<@Nullable String> texts) {
        return texts.distinct().collect(Collectors.joining(System.lineSeparator()));
    }

    /** Thrown by provisioning or a move, so that somebody has to look at a server. */
    private static boolean isOfServers(ShardedIdException failure) {
        String thrownBy = failure.getClass().getPackageName();
        return thrownBy.startsWith(ShardMover.class.getPackageName())
                || thrownBy.startsWith(Provisioner.class.getPackageName());
    }

    /** The message, with a line for each database that it names. */
    private String withAddresses(String message) {
        String addresses = ConfiguredCluster.addresses(environment).entrySet().stream()
                .filter(each -> isNamed(each.getKey(), message))
                .map(ShardedIdFailureAnalyzer::line)
                .collect(Collectors.joining());
        return addresses.isEmpty() ? message : message + " Addresses:" + addresses;
    }

    private static boolean isNamed(String database, String message) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(database) + "(?![\\w-])")
                .matcher(message)
                .find();
    }

    private static String line(Map.Entry<String, String> address) {
        return System.lineSeparator() + "    " + address.getKey() + ": " + address.getValue();
    }
}
