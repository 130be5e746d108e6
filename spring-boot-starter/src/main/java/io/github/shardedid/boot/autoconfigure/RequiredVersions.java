package io.github.shardedid.boot.autoconfigure;

import static java.util.Map.entry;

import io.github.shardedid.ClusterConfigurationException;
import java.lang.module.ModuleDescriptor.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    private static final Map<String, String> OLDEST = Map.ofEntries(
            entry(SpringBootVersion.class.getName(), "Spring Boot 4.1"),
            entry("org.hibernate.Version", "Hibernate ORM 7.4"),
            entry("org.springframework.data.jpa.repository.JpaRepository", "Spring Data JPA 4.1"));

    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d+\\.\\d+).*");

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ClassLoader loader = RequiredVersions.class.getClassLoader();
        Map<String, String> present = new LinkedHashMap<>();
        for (String type : OLDEST.keySet()) {
            if (ClassUtils.isPresent(type, loader)) {
                Package library = ClassUtils.resolveClassName(type, loader).getPackage();
                present.put(type, String.valueOf(library.getImplementationVersion()));
            }
        }
        require(present);
    }

    /**
     * Checks versions.
     *
     * @param present versions by the name of a class of the library
     * @throws ClusterConfigurationException if one is older than the oldest that is supported
     */
    static void require(Map<String, String> present) {
        String outdated = OLDEST.entrySet().stream()
                .filter(each -> isOlder(present.getOrDefault(each.getKey(), ""), each.getValue()))
                .map(each -> each.getValue() + " or later, not " + present.get(each.getKey()))
                .sorted()
                .collect(Collectors.joining("; "));
        if (!outdated.isEmpty()) {
            throw new ClusterConfigurationException(
                    "sharded-id needs " + outdated + ". Upgrade the application, or remove sharded-id from it.");
        }
    }

    /** What has no major and minor number is not judged. */
    private static boolean isOlder(String version, String oldest) {
        Matcher numbers = MAJOR_MINOR.matcher(version);
        return numbers.matches()
                && Version.parse(numbers.group(1)).compareTo(Version.parse(oldest.replaceFirst(".* ", ""))) < 0;
    }
}
