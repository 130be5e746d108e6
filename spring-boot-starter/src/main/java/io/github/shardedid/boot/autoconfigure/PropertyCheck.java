package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ClusterConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binds all properties before any bean is created, so that an unknown name and an invalid value are refused before anything is written
 * to a database. Messages show no value that may be secret, as Boot's own would.
 */
final class PropertyCheck {
    /** Commands of the command line. They are no properties: elsewhere they are refused. */
    static final Set<String> COMMANDS = Stream.of(CommandListener.COMMANDS, RowsCommand.COMMANDS)
            .flatMap(commands -> commands.keySet().stream())
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<String> OPTIONS_OF_COMMANDS = Set.of("run-plan", "run-plan-offline");

    /** An empty value is meaningful: no password, or a URL that a bean of connection details knows. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("url", "username", "password");

    private static final Set<String> MAPS_OF_TEXTS = Set.of("hikari", "placeholders", "parameters");

    /** Boot reads no keys of maps from variables with underscores for hyphens. Kubernetes sets those of a service. */
    private static final Pattern UNREAD = Pattern.compile("SHARDED_ID_(?:HIKARI|DATABASES)_(?!SERVICE_|PORT)\\w+");

    private PropertyCheck() {}

    /** Checks all properties below {@code sharded-id}. */
    static ShardedIdProperties check(Environment environment) {
        unreadVariables(environment).findFirst().ifPresent(variable -> {
            throw new ClusterConfigurationException("The environment variable " + variable
                    + " would have no effect: Spring Boot reads variables without underscores for hyphens, such as"
                    + " SHARDEDID_DATABASES_PG1_DIRECTURL. Rename it. If the name of the database has a hyphen, set the"
                    + " property in a file, with a placeholder for a variable of another name.");
        });
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        // Filtered variables would no longer be found with underscores for hyphens.
        ConfigurationPropertySources.get(environment)
                .forEach(source ->
                        sources.add(isEnvironment(source) ? source : source.filter(name -> isProperty(source, name))));
        try {
            return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment))
                    .bindOrCreate("sharded-id", Bindable.of(ShardedIdProperties.class), new Strict());
        } catch (BindException e) {
            throw refused(e); // Without the cause, whose message contains the value.
        }
    }

    /** Returns the variables that Boot does not read. To ignore them could write data to the wrong database. */
    static Stream<String> unreadVariables(Environment environment) {
        String system = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        return environment instanceof ConfigurableEnvironment all
                        && all.getPropertySources().get(system) instanceof EnumerablePropertySource<?> variables
                ? Stream.of(variables.getPropertyNames())
                        .filter(name -> UNREAD.matcher(name).matches())
                : Stream.empty();
    }

    /** Returns whether a name is neither of a command on the command line nor of this library's own tests. */
    private static boolean isProperty(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        if (name.getNumberOfElements() < 2) {
            return true;
        }
        String second = name.getElement(1, Form.DASHED);
        boolean command = COMMANDS.contains(second) || OPTIONS_OF_COMMANDS.contains(second);
        return !second.equals("test")
                && !(command && source.getUnderlyingSource() instanceof CommandLinePropertySource<?>);
    }

    private static boolean isEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    private static final class Strict extends NoUnboundElementsBindHandler {
        /** Environment variables may belong to other programs: Kubernetes sets some that begin with the name of a service. */
        Strict() {
            super(BindHandler.DEFAULT, source -> !isEnvironment(source));
        }

        @Override
        public void onFinish(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                throws Exception {
            ConfigurationProperty property = context.getConfigurationProperty();
            if (property != null && property.getName().equals(name)) {
                refuse(name, result);
            }
            super.onFinish(name, target, context, result);
        }

        /** Refuses what binding would silently replace by the default, and durations that overflow in nanoseconds. */
        private static void refuse(ConfigurationPropertyName name, @Nullable Object value) {
            boolean mayBeEmpty = MAY_BE_EMPTY.contains(name.getLastElement(Form.DASHED))
                    || Stream.iterate(name, ConfigurationPropertyName::getParent)
                            .takeWhile(parent -> !parent.isEmpty())
                            .skip(1)
                            .anyMatch(parent -> MAPS_OF_TEXTS.contains(parent.getLastElement(Form.DASHED)));
            if (!mayBeEmpty && (value == null || (value instanceof String text && text.isBlank()))) {
                throw new ClusterConfigurationException(
                        name + " is empty. Set a value, or remove the property to use its default.");
            }
            if (value instanceof Duration duration
                    && (duration.isNegative() || duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0)) {
                throw new ClusterConfigurationException(
                        name + " cannot be " + duration + ". Set it to 0 or more, and at most 292 years.");
            }
        }
    }

    private static ClusterConfigurationException refused(BindException failure) {
        BindException innermost = failure;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof ClusterConfigurationException own) {
                return own;
            }
            if (at instanceof UnboundConfigurationPropertiesException unbound) {
                List<ConfigurationPropertyName> names = unbound.getUnboundProperties().stream()
                        .map(ConfigurationProperty::getName)
                        .toList();
                return new ClusterConfigurationException(
                        "These are no properties of sharded-id, and would have no effect: "
                                + names
                                + ". Correct or remove them. Number the elements of a list from 0 without gaps, in one"
                                + " property source. Commands, such as move, work on the command line alone.");
            }
            innermost = at instanceof BindException bind ? bind : innermost;
        }
        Class<?> type = innermost.getTarget().getType().resolve(Object.class);
        return new ClusterConfigurationException(innermost.getName() + " must be " + expected(type) + ".");
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(each ->
                                    each.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .toList();
        }
        String example = type == Duration.class
                ? ", such as 10s"
                : type == Instant.class ? ", such as 2024-01-01T00:00:00Z" : "";
        return "of type " + type.getSimpleName() + example;
    }
}
