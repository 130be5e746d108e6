package io.github.shardedid.boot.migration;

import java.util.List;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Disables Boot's own Liquibase by default if the provisioner runs change logs and Boot's has none: it would fail without one. Its
 * properties override this.
 */
final class LiquibaseOffEnvironmentPostProcessor implements EnvironmentPostProcessor {
    private static final String BOOTS_CHANGE_LOG = "db/changelog/db.changelog-master.yaml";
    private static final List<String> OURS =
            List.of("sharded-id.liquibase.change-log", "sharded-id.liquibase.global-change-log");
    private static final List<String> BOOTS = List.of("spring.liquibase.change-log", "spring.liquibase.url");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (OURS.stream().anyMatch(environment::containsProperty)
                && BOOTS.stream().noneMatch(environment::containsProperty)
                && application.getClassLoader().getResource(BOOTS_CHANGE_LOG) == null) {
            environment
                    .getPropertySources()
                    .addLast(
                            new MapPropertySource("sharded-id-liquibase", Map.of("spring.liquibase.enabled", "false")));
        }
    }
}
