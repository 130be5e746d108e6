package io.github.shardedid.boot.test;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Hides the databases in property sources, because Spring merges maps from several sources. The kind of a source does not
 * change, and properties that are added later are visible.
 */
final class WithoutDatabases {
    private static final ConfigurationPropertyName HIDDEN = ConfigurationPropertyName.of("sharded-id.databases");

    private WithoutDatabases() {}

    static boolean areIn(EnumerablePropertySource<?> source) {
        return Stream.of(source.getPropertyNames()).anyMatch(name -> isHidden(source, name));
    }

    static EnumerablePropertySource<?> of(EnumerablePropertySource<?> source) {
        if (source instanceof SystemEnvironmentPropertySource variables) {
            // Spring Boot derives the format of the names from the class.
            Map<String, Object> others = new HashMap<>(variables.getSource());
            others.keySet().removeIf(name -> isHidden(source, name));
            return new SystemEnvironmentPropertySource(source.getName(), others);
        }
        return source instanceof MapPropertySource map ? new OfMap(map) : new OfAny(source);
    }

    private static boolean isHidden(EnumerablePropertySource<?> source, String name) {
        boolean variable = source instanceof SystemEnvironmentPropertySource;
        ConfigurationPropertyName adapted =
                ConfigurationPropertyName.adapt(variable ? name.toLowerCase(Locale.ROOT) : name, variable ? '_' : '.');
        return HIDDEN.isAncestorOf(adapted);
    }

    private static String[] names(EnumerablePropertySource<?> source) {
        return Stream.of(source.getPropertyNames())
                .filter(name -> !isHidden(source, name))
                .toArray(String[]::new);
    }

    private static @Nullable Object value(EnumerablePropertySource<?> source, String name) {
        return isHidden(source, name) ? null : source.getProperty(name);
    }

    private static final class OfMap extends MapPropertySource {
        private final MapPropertySource all;

        OfMap(MapPropertySource all) {
            super(all.getName(), all.getSource());
            this.all = all;
        }

        @Override
        public String[] getPropertyNames() {
            return names(all);
        }

        @Override
        public @Nullable Object getProperty(String name) {
            return value(all, name);
        }

        @Override
        public boolean containsProperty(String name) {
            return !isHidden(all, name) && all.containsProperty(name);
        }
    }

    private static final class OfAny extends EnumerablePropertySource<EnumerablePropertySource<?>> {
        OfAny(EnumerablePropertySource<?> all) {
            super(all.getName(), all);
        }

        @Override
        public String[] getPropertyNames() {
            return names(source);
        }

        @Override
        public @Nullable Object getProperty(String name) {
            return value(source, name);
        }
    }
}
