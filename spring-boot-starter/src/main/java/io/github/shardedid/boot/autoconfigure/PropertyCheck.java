package io.github.shardedid.boot.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binds all properties before any bean is created, so that an invalid value is refused before anything is written to a
 * database. Messages show no value that may be secret.
 */
final class PropertyCheck {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("sharded-id");
    private static final List<Class<? extends Record>> BOUND =
            List.of(ShardedIdProperties.class, RepositoryProperties.class, ShardCommands.class);

    /** An empty value is meaningful: no password, or a URL that a bean of connection details knows. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("url", "username", "password");

    private final Environment environment;

    private PropertyCheck(Environment environment) {
        this.environment = environment;
    }

    /** Checks all properties below {@code sharded-id}. */
    static ShardedIdProperties check(Environment environment) {
        PropertyCheck check = new PropertyCheck(environment);
        check.refuseUnknownNames();
        check.refuseEmptyValues();
        BOUND.forEach(check::bind);
        ShardedIdProperties properties = Binder.get(environment).bindOrCreate("sharded-id", ShardedIdProperties.class);
        refuseDurations("sharded-id", properties);
        return properties;
    }

    private void bind(Class<? extends Record> type) {
        try {
            Binder.get(environment).bindOrCreate("sharded-id", type);
        } catch (BindException e) {
            throw refused(e); // Without the cause, whose message contains the value.
        }
    }

    private ShardedIdPropertiesException refused(BindException failure) {
        BindException innermost = failure;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof UnboundConfigurationPropertiesException unbound) {
                List<ConfigurationPropertyName> names = unbound.getUnboundProperties().stream()
                        .map(ConfigurationProperty::getName)
                        .toList();
                return new ShardedIdPropertiesException("These properties could not be bound: " + names
                        + ". Number the elements of a list from 0 without gaps, in one property source.");
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

    /** Environment variables may belong to other programs: Kubernetes sets some that begin with the name of a service. */
    private void refuseUnknownNames() {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                iterable.stream().filter(PREFIX::isAncestorOf).forEach(name -> PropertyNames.refuse(name, BOUND));
            }
        }
    }

    /** Binding would silently replace an empty value by the default. */
    private void refuseEmptyValues() {
        Set<ConfigurationPropertyName> seen = new HashSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (!(source instanceof IterableConfigurationPropertySource iterable)) {
                continue;
            }
            iterable.stream()
                    .filter(name -> PREFIX.isAncestorOf(name) && seen.add(name) && isSingleValue(name) && !isFlag(name))
                    .map(iterable::getConfigurationProperty)
                    .forEach(this::refuseEmpty);
        }
    }

    /** Commands that need no value. */
    private static boolean isFlag(ConfigurationPropertyName name) {
        String last = name.getLastElement(Form.UNIFORM);
        return last.equals("reportdrift") || last.equals("repairmigrations") || last.equals("showmoves");
    }

    private void refuseEmpty(@Nullable ConfigurationProperty property) {
        if (property != null
                && property.getValue() instanceof CharSequence text
                && environment.resolvePlaceholders(text.toString()).isBlank()) {
            throw new ShardedIdPropertiesException(
                    property.getName() + " is empty. Set a value, or remove the property to use its default.");
        }
    }

    private static boolean isSingleValue(ConfigurationPropertyName name) {
        return MAY_BE_EMPTY.stream().noneMatch(each -> name.toString().endsWith("." + each))
                && BOUND.stream().anyMatch(type -> PropertyNames.isSingleValue(name, type));
    }

    /** Durations are converted to nanoseconds later, which must not overflow. */
    private static void refuseDurations(String path, Record properties) {
        for (RecordComponent component : properties.getClass().getRecordComponents()) {
            String name = path + "." + DataObjectPropertyName.toDashedForm(component.getName());
            Object value = value(properties, component);
            if (value instanceof Record nested) {
                refuseDurations(name, nested);
            } else if (value instanceof Duration duration
                    && (duration.isNegative() || duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0)) {
                throw new ShardedIdPropertiesException(
                        name + " cannot be " + duration + ". Set it to 0 or more, and at most 292 years.");
            }
        }
    }

    private static @Nullable Object value(Record properties, RecordComponent component) {
        try {
            return component.getAccessor().invoke(properties);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("A record's accessor is public", e);
        }
    }
}
