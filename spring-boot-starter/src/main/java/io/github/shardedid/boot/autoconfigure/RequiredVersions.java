package io.github.shardedid.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Refuses to start an application with libraries that are too old, before anything of sharded-id that needs them is loaded. Uses only what
 * Spring Boot 3 has, too.
 */
final class RequiredVersions implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    /** The oldest supported release of each library, by a class whose jar names the version. */
    private static final Map<String, Library> OLDEST = Map.of(
            SpringBootVersion.class.getName(),
            new Library("Spring Boot", 4, 1),
            "org.hibernate.Version",
            new Library("Hibernate ORM", 7, 4),
            "org.springframework.data.jpa.repository.JpaRepository",
            new Library("Spring Data JPA", 4, 1));

    private record Library(String name, int major, int minor) {
        /** Compares major and minor numbers; what is no number is not judged. */
        @Nullable
        String outdated(String version) {
            String[] numbers = version.split("\\.", 3);
            if (numbers.length < 2 || !(numbers[0] + numbers[1]).matches("\\d{1,9}")) {
                return null;
            }
            int first = Integer.parseInt(numbers[0]);
            boolean old = first < major || (first == major && Integer.parseInt(numbers[1]) < minor);
            return old ? name + " " + major + "." + minor + " or later, not " + version : null;
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ClassLoader loader = RequiredVersions.class.getClassLoader();
        Map<String, String> present = new LinkedHashMap<>();
        OLDEST.keySet().stream()
                .filter(type -> ClassUtils.isPresent(type, loader))
                .forEach(type -> {
                    String version = ClassUtils.resolveClassName(type, loader)
                            .getPackage()
                            .getImplementationVersion();
                    if (version != null) {
                        present.put(type, version);
                    }
                });
        require(present);
    }

    /**
     * Checks versions.
     *
     * @param present versions by the name of a class of the library
     * @throws ShardedIdPropertiesException if one is older than the oldest that is supported
     */
    static void require(Map<String, String> present) {
        String outdated = OLDEST.entrySet().stream()
                .map(library -> library.getValue().outdated(present.getOrDefault(library.getKey(), "")))
                .filter(Objects::nonNull)
                .sorted()
                .collect(Collectors.joining("; "));
        if (!outdated.isEmpty()) {
            throw new ShardedIdPropertiesException(
                    "sharded-id needs " + outdated + ". Upgrade the application, or remove sharded-id from it.");
        }
    }
}
