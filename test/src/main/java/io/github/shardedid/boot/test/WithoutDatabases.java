package io.github.shardedid.boot.test;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Sources of properties without what they say of databases, as those of several sources would be added together. A source
 * stays of the kind that Spring takes it for, and sees what is put into it later.
 */
final class WithoutDatabases {
    private static final List<ConfigurationPropertyName> HIDDEN = Stream.of(
                    "sharded-id.databases", "sharded-id.placement.weights")
            .map(ConfigurationPropertyName::of)
            .toList();

    private WithoutDatabases() {}

    static boolean areIn(EnumerablePropertySource<?> source) {
        return Stream.of(source.getPropertyNames()).anyMatch(name -> isHidden(source, name));
    }

    static EnumerablePropertySource<?> of(EnumerablePropertySource<?> source) {
        if (source instanceof SystemEnvironmentPropertySource variables) {
            // By its class, Boot knows how names are written in it.
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
        return HIDDEN.stream().anyMatch(hidden -> hidden.isAncestorOf(adapted));
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
