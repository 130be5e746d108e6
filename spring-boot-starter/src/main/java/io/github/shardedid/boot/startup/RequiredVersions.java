package io.github.shardedid.boot.startup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Refuses to start an application with libraries that are too old, before anything of sharded-id that needs them is loaded. Uses only what
 * Spring Boot 3 has, too.
 */
final class RequiredVersions implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    /** The oldest releases that are supported, by a class whose jar names its version. */
    private static final Map<Library, String> OLDEST = oldest();

    private record Library(String name, String typeName) {
        @Nullable
        String version() {
            ClassLoader loader = RequiredVersions.class.getClassLoader();
            if (!ClassUtils.isPresent(typeName, loader)) {
                return null;
            }
            return ClassUtils.resolveClassName(typeName, loader).getPackage().getImplementationVersion();
        }
    }

    private static Map<Library, String> oldest() {
        Map<Library, String> oldest = new LinkedHashMap<>();
        oldest.put(new Library("Spring Boot", SpringBootVersion.class.getName()), "4.1");
        oldest.put(new Library("Hibernate ORM", "org.hibernate.Version"), "7.4");
        oldest.put(new Library("Spring Data JPA", "org.springframework.data.jpa.repository.JpaRepository"), "4.1");
        return oldest;
    }

    /** Says which libraries are too old. */
    static final class OutdatedLibraries extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutdatedLibraries(String message) {
            super(message);
        }
    }

    static final class Analyzer extends AbstractFailureAnalyzer<OutdatedLibraries> {
        @Override
        protected FailureAnalysis analyze(Throwable failure, OutdatedLibraries cause) {
            return new FailureAnalysis(
                    String.valueOf(cause.getMessage()),
                    "Upgrade the application, or remove sharded-id from it.",
                    cause);
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        Map<String, String> present = new LinkedHashMap<>();
        OLDEST.forEach((library, oldest) -> {
            String version = library.version();
            if (version != null) {
                present.put(library.name(), version);
            }
        });
        require(present);
    }

    /**
     * Checks versions.
     *
     * @param present versions by the name of the library
     * @throws OutdatedLibraries if one is older than the oldest that is supported
     */
    static void require(Map<String, String> present) {
        List<String> outdated = new ArrayList<>();
        OLDEST.forEach((library, oldest) -> {
            String version = present.get(library.name());
            if (version != null && isOlder(version, oldest)) {
                outdated.add(library.name() + " " + oldest + " or later, not " + version);
            }
        });
        if (!outdated.isEmpty()) {
            throw new OutdatedLibraries("sharded-id needs " + String.join("; ", outdated) + ".");
        }
    }

    /** Compares major and minor numbers; what is no number is not judged. */
    private static boolean isOlder(String version, String oldest) {
        String[] numbers = version.split("\\.", 3);
        String[] least = oldest.split("\\.", 2);
        if (numbers.length < 2 || !(numbers[0] + numbers[1]).matches("\\d+")) {
            return false;
        }
        int major = Integer.compare(Integer.parseInt(numbers[0]), Integer.parseInt(least[0]));
        return major < 0 || (major == 0 && Integer.parseInt(numbers[1]) < Integer.parseInt(least[1]));
    }
}
