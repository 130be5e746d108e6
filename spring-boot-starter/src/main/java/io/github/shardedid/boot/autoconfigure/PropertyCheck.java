package io.github.shardedid.boot.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
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
    private static final String PREFIX = "sharded-id";

    /** An empty value is meaningful: no password, or a URL that a bean of connection details knows. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("url", "username", "password");

    private PropertyCheck() {}

    /** Checks all properties below {@code sharded-id}. */
    static ShardedIdProperties check(Environment environment) {
        ShardedIdProperties properties = bind(
                environment, ShardedIdProperties.class, name -> !isCommand(name) && !isOfTests(name), new Strict());
        UnreadVariables.refuse(environment);
        bind(environment, ShardCommands.class, name -> isCommand(name) && name.getNumberOfElements() > 2, new Strict());
        // Commands that are flags may have no value.
        refuseValues(PREFIX, bind(environment, ShardCommands.class, name -> true, BindHandler.DEFAULT));
        refuseValues(PREFIX, properties);
        return properties;
    }

    private static boolean isCommand(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 1
                && Arrays.stream(ShardCommands.class.getRecordComponents())
                        .anyMatch(command -> command.getName().equalsIgnoreCase(name.getElement(1, Form.UNIFORM)));
    }

    /** Returns whether a name is of this library's own tests. */
    private static boolean isOfTests(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 1
                && name.getElement(1, Form.UNIFORM).equals("test");
    }

    private static <T> T bind(
            Environment environment, Class<T> type, Predicate<ConfigurationPropertyName> names, BindHandler handler) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        // Filtered variables would no longer be found with underscores for hyphens.
        ConfigurationPropertySources.get(environment)
                .forEach(source -> sources.add(isEnvironment(source) ? source : source.filter(names)));
        Binder binder = new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
        try {
            return binder.bindOrCreate(PREFIX, Bindable.of(type), handler);
        } catch (BindException e) {
            throw refused(e); // Without the cause, whose message contains the value.
        }
    }

    private static boolean isEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    private static final class Strict extends NoUnboundElementsBindHandler {
        /** Environment variables may belong to other programs: Kubernetes sets some that begin with the name of a service. */
        Strict() {
            super(BindHandler.DEFAULT, source -> !isEnvironment(source));
        }

        /** Binding would silently replace an empty value by the default. */
        @Override
        public void onFinish(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                throws Exception {
            ConfigurationProperty property = context.getConfigurationProperty();
            if (result == null && property != null && property.getName().equals(name)) {
                throw empty(name.toString());
            }
            super.onFinish(name, target, context, result);
        }
    }

    private static ShardedIdPropertiesException empty(String name) {
        return new ShardedIdPropertiesException(
                name + " is empty. Set a value, or remove the property to use its default.");
    }

    private static ShardedIdPropertiesException refused(BindException failure) {
        BindException innermost = failure;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof ShardedIdPropertiesException own) {
                return own;
            }
            if (at instanceof UnboundConfigurationPropertiesException unbound) {
                List<ConfigurationPropertyName> names = unbound.getUnboundProperties().stream()
                        .map(ConfigurationProperty::getName)
                        .toList();
                return new ShardedIdPropertiesException(
                        "These are no properties of sharded-id, and would have no effect: "
                                + names
                                + ". Correct or remove them. Number the elements of a list from 0 without gaps, in one"
                                + " property source.");
            }
            innermost = at instanceof BindException bind ? bind : innermost;
        }
        Class<?> type = innermost.getTarget().getType().resolve(Object.class);
        String name = innermost.getName().toString();
        Object value = isSecret(name) || innermost.getProperty() == null
                ? "of another type"
                : innermost.getProperty().getValue();
        return new ShardedIdPropertiesException(name + " is " + value + ", but must be " + expected(type) + ".");
    }

    private static boolean isSecret(String name) {
        return name.startsWith("sharded-id.databases")
                || name.startsWith("sharded-id.hikari")
                || name.startsWith("sharded-id.flyway")
                || name.startsWith("sharded-id.liquibase");
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(each ->
                                    each.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .toList();
        } else if (type == Duration.class) {
            return "a duration such as 10s";
        } else if (type == Instant.class) {
            return "an instant such as 2024-01-01T00:00:00Z";
        }
        return type == int.class || type == Integer.class
                ? "a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE
                : "a " + type.getSimpleName();
    }

    /** Refuses empty texts, and durations that overflow when they are converted to nanoseconds later. */
    private static void refuseValues(String path, @Nullable Object value) {
        if (value instanceof Record properties) {
            for (RecordComponent component : properties.getClass().getRecordComponents()) {
                if (!MAY_BE_EMPTY.contains(component.getName())) {
                    String name = path + "." + DataObjectPropertyName.toDashedForm(component.getName());
                    refuseValues(name, value(properties, component));
                }
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> refuseValues(path + "." + key, each instanceof Record ? each : null));
        } else if (value instanceof String text && text.isBlank()) {
            throw empty(path);
        } else if (value instanceof Duration duration
                && (duration.isNegative() || duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0)) {
            throw new ShardedIdPropertiesException(
                    path + " cannot be " + duration + ". Set it to 0 or more, and at most 292 years.");
        }
    }

    private static @Nullable Object value(Record properties, RecordComponent component) {
        try {
            return component.getAccessor().invoke(properties);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("A record's accessor is public", e);
        }
    }

    /**
     * Environment variables such as {@code SHARDED_ID_DATABASES_PG1_URL}. In this spelling, with underscores for hyphens, Boot finds the
     * settings of a database that a file names, but no keys of maps and no elements of lists. To ignore the others could write data to the
     * wrong database.
     */
    static final class UnreadVariables {
        private static final Pattern WITH_HYPHENS =
                Pattern.compile("SHARDED_ID_(?:HIKARI_(?<key>\\w+)|DATABASES_(?<name>\\w+?)_(?<replica>REPLICAS_\\d+_)?"
                        + "(?:HIKARI_(?<own>\\w+)|(?<setting>URL|DIRECT_URL|USERNAME|PASSWORD|SHARDS)))");

        private UnreadVariables() {}

        /** Returns whether there is one. */
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
                    && named(environment).stream().anyMatch(name -> name.replace('-', '_')
                            .toUpperCase(Locale.ROOT)
                            .equals(variable.group("name")));
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
}
