package io.github.shardedid.boot.diagnostics;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.routing.DatabaseUnavailableException;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Explains a failed start: which property to correct, or which database is not available, and its address. */
final class ShardedIdFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {
    private static final ConfigurationPropertyName FLYWAY = ConfigurationPropertyName.of("spring.flyway.enabled");
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
            return new FailureAnalysis(withAddresses(unavailable), UNAVAILABLE, unavailable);
        }
        ShardedIdException cause = findCause(failure, ShardedIdException.class);
        if (cause == null) {
            return null;
        }
        String description = isOfServers(cause) ? withAddresses(cause) : String.valueOf(cause.getMessage());
        return new FailureAnalysis(description, isOfBootsFlyway(failure) ? flyway() : FailureActions.of(cause), cause);
    }

    /** Thrown by provisioning or a move, so that somebody has to look at a server. */
    private static boolean isOfServers(ShardedIdException failure) {
        String thrownBy = failure.getClass().getPackageName();
        return thrownBy.startsWith(ShardMover.class.getPackageName())
                || thrownBy.startsWith(Provisioner.class.getPackageName());
    }

    /** By the name of the bean; Flyway may not be on the class path. */
    private static boolean isOfBootsFlyway(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(at -> at instanceof BeanCreationException creation
                        && "flywayInitializer".equals(creation.getBeanName()));
    }

    /** A library may set the property, so the application's own files do not show it. */
    private String flyway() {
        String origin = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .map(source -> source.getConfigurationProperty(FLYWAY))
                .filter(Objects::nonNull)
                .findFirst()
                .map(property -> " (" + property.getOrigin() + ")")
                .orElse("");
        return "Set spring.flyway.url to a separate database, or remove " + FLYWAY + origin
                + ", or set it to false in a property source that takes precedence: sharded-id runs the scripts of the shards, at"
                + " sharded-id.migrations, without Boot's Flyway.";
    }

    /** The message, with a line for each database that it names. */
    private String withAddresses(Exception failure) {
        String message = String.valueOf(failure.getMessage());
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
