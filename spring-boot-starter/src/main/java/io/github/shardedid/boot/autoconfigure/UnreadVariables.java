package io.github.shardedid.boot.autoconfigure;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Environment variables such as {@code SHARDED_ID_DATABASES_PG1_URL}. In this spelling, with underscores for hyphens, Boot finds the
 * settings of a database that a file names, but no keys of maps and no elements of lists. To ignore the others could write data to the
 * wrong database.
 */
final class UnreadVariables {
    private static final Pattern WITH_HYPHENS =
            Pattern.compile("SHARDED_ID_(?:HIKARI_(?<key>\\w+)|DATABASES_(?<name>\\w+?)_(?<replica>REPLICAS_\\d+_)?"
                    + "(?:HIKARI_(?<own>\\w+)|(?<setting>URL|DIRECT_URL|USERNAME|PASSWORD|SHARDS)))");

    private UnreadVariables() {}

    /** Whether there is one. */
    static boolean areIn(Environment environment) {
        return in(environment).findAny().isPresent();
    }

    /** Refuses the first one. */
    static void refuse(Environment environment) {
        in(environment).findFirst().ifPresent(variable -> {
            String name = variable.group("name");
            // Boot takes a name without its hyphens for that of another database.
            String remedy = name != null && name.contains("_")
                    ? "Set the property in a file, with a placeholder for a variable of another name."
                    : "Call it " + read(variable) + ".";
            throw new ShardedIdPropertiesException(
                    "The environment variable " + variable.group() + " would have no effect. " + remedy);
        });
    }

    private static Stream<Matcher> in(Environment environment) {
        String system = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        if (!(environment instanceof ConfigurableEnvironment all
                && all.getPropertySources().get(system) instanceof EnumerablePropertySource<?> variables)) {
            return Stream.empty();
        }
        return Stream.of(variables.getPropertyNames())
                .map(WITH_HYPHENS::matcher)
                .filter(variable -> variable.matches() && !isRead(environment, variable));
    }

    private static boolean isRead(Environment environment, Matcher variable) {
        return variable.group("setting") != null
                && variable.group("replica") == null
                && named(environment).stream()
                        .anyMatch(name ->
                                name.replace('-', '_').toUpperCase(Locale.ROOT).equals(variable.group("name")));
    }

    /** The databases that Boot finds. */
    private static Set<String> named(Environment environment) {
        return Binder.get(environment)
                .bind("sharded-id.databases", Bindable.mapOf(String.class, Object.class))
                .map(databases -> Set.copyOf(databases.keySet()))
                .orElse(Set.of());
    }

    private static String read(Matcher variable) {
        if (variable.group("key") != null) {
            return "SHARDEDID_HIKARI_" + without(variable.group("key"));
        }
        String replica = variable.group("replica") == null ? "" : variable.group("replica");
        return "SHARDEDID_DATABASES_" + variable.group("name") + "_" + replica
                + (variable.group("setting") == null
                        ? "HIKARI_" + without(variable.group("own"))
                        : without(variable.group("setting")));
    }

    private static String without(String name) {
        return name.replace("_", "");
    }
}
