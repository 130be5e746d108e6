package io.github.shardedid.boot.autoconfigure;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Translates environment variables such as {@code SHARDED_ID_DATABASES_PG1_URL} to properties. Boot finds keys of maps only in
 * variables without the hyphen, {@code SHARDEDID_DATABASES_PG1_URL}. Silently ignoring the other spelling could write data to the
 * wrong database. The properties come directly after the environment variables.
 */
final class DatabaseVariablesEnvironmentPostProcessor implements EnvironmentPostProcessor, Ordered {
    static final String SOURCE = "sharded-id databases in environment variables";

    private static final Pattern DATABASE =
            Pattern.compile("SHARDED_ID_DATABASES_(\\w+?)_(?:REPLICAS_(?<replica>\\d+)_)?"
                    + "(?<setting>URL|DIRECT_URL|USERNAME|PASSWORD|SHARDS|HIKARI_(?<hikari>\\w+))");
    private static final Pattern POOLS = Pattern.compile("SHARDED_ID_HIKARI_(\\w+)");
    private static final String DATABASES = "sharded-id.databases";

    /** After the configuration files, which name databases, and before post-processors that read the names. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 10;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String system = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        if (!(environment.getPropertySources().get(system) instanceof EnumerablePropertySource<?> variables)) {
            return;
        }
        Map<String, String> names = names(environment);
        Map<String, Object> properties = new TreeMap<>();
        for (String variable : variables.getPropertyNames()) {
            String property = property(variable, names);
            Object value = property == null ? null : variables.getProperty(variable);
            if (property != null && value != null) {
                properties.put(property, value);
            }
        }
        if (!properties.isEmpty()) {
            PropertySource<?> translated = new MapPropertySource(SOURCE, properties);
            environment.getPropertySources().addAfter(system, translated);
        }
    }

    /** Databases that other property sources configure, by the letters and digits of their names. */
    private static Map<String, String> names(ConfigurableEnvironment environment) {
        Map<String, String> names = new HashMap<>();
        try {
            Binder.get(environment)
                    .bind(DATABASES, Bindable.mapOf(String.class, Object.class))
                    .ifBound(databases -> databases.keySet().forEach(name -> names.put(lettersOf(name), name)));
        } catch (BindException e) {
            return names; // PropertyCheck reports what is invalid, without the value.
        }
        return names;
    }

    private static @Nullable String property(String variable, Map<String, String> names) {
        Matcher pools = POOLS.matcher(variable);
        if (pools.matches()) {
            return "sharded-id.hikari." + hyphenated(pools.group(1));
        }
        Matcher database = DATABASE.matcher(variable);
        if (!database.matches()) {
            return null;
        }
        String name = names.getOrDefault(lettersOf(database.group(1)), hyphenated(database.group(1)));
        String replica = database.group("replica") == null ? "" : "replicas[" + database.group("replica") + "].";
        String setting = database.group("hikari") == null
                ? hyphenated(database.group("setting"))
                : "hikari." + hyphenated(database.group("hikari"));
        return DATABASES + "." + name + "." + replica + setting;
    }

    private static String hyphenated(String part) {
        return part.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String lettersOf(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
