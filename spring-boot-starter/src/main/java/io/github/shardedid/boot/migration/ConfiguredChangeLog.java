package io.github.shardedid.boot.migration;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ShardMigrations;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * A Liquibase change log of the properties, which replaces Flyway scripts.
 *
 * @param property names the change log
 * @param location of the change log
 * @param scriptsProperty has the locations of the scripts that it replaces
 * @param scripts the default of that property, without {@code classpath:}
 * @param baseline its last change set that does not run in a filled schema; empty for none
 * @param settings of all change logs
 */
public record ConfiguredChangeLog(
        String property,
        String location,
        String scriptsProperty,
        String scripts,
        String baseline,
        LiquibaseProperties settings) {
    private static final String GLOBAL_SCRIPTS = "db/global";

    /**
     * That of the shards.
     *
     * @param settings the properties
     * @return null if Flyway scripts run
     */
    public static @Nullable ConfiguredChangeLog ofShards(LiquibaseProperties settings) {
        return settings.changeLog() == null
                ? null
                : new ConfiguredChangeLog(
                        "sharded-id.liquibase.change-log",
                        settings.changeLog(),
                        "sharded-id.migrations",
                        "db/shard",
                        Objects.requireNonNullElse(settings.baseline(), ""),
                        settings);
    }

    /**
     * That of the global schema.
     *
     * @param settings the properties
     * @return null if Flyway scripts run
     */
    public static @Nullable ConfiguredChangeLog ofGlobalSchema(LiquibaseProperties settings) {
        return settings.globalChangeLog() == null
                ? null
                : new ConfiguredChangeLog(
                        "sharded-id.liquibase.global-change-log",
                        settings.globalChangeLog(),
                        "sharded-id.global.migrations",
                        GLOBAL_SCRIPTS,
                        "",
                        settings);
    }

    /**
     * The Flyway scripts of the global schema, if it has no change log. Where the shards have one, Spring Boot's own Liquibase usually
     * migrates the global schema, so the default location need not exist.
     *
     * @param settings the properties
     * @param locations of scripts
     * @param classLoader finds scripts
     * @return the locations that have to exist
     */
    public static List<String> globalScripts(
            LiquibaseProperties settings, List<String> locations, ClassLoader classLoader) {
        boolean none = settings.changeLog() != null
                && locations.equals(List.of("classpath:" + GLOBAL_SCRIPTS))
                && anyScript(GLOBAL_SCRIPTS, classLoader) == null;
        return none ? List.of() : locations;
    }

    /**
     * The migrations that run it.
     *
     * @param classLoader finds its files
     * @return new migrations
     * @throws IllegalArgumentException if the location is none of the class path
     * @throws IllegalStateException if Liquibase is not on the class path
     */
    public ShardMigrations migrations(ClassLoader classLoader) {
        return ShardMigrations.of(
                classLoader,
                ChangeLog.at(location)
                        .withContexts(Objects.requireNonNullElse(settings.contexts(), ""))
                        .withLabelFilter(Objects.requireNonNullElse(settings.labelFilter(), ""))
                        .withBaseline(baseline)
                        .withParameters(settings.parameters()));
    }

    /**
     * Returns what contradicts it: scripts at other locations, or at the default one.
     *
     * @param locations of scripts
     * @param classLoader finds scripts
     * @return a sentence for the user; null if there are no scripts
     */
    public @Nullable String conflict(List<String> locations, ClassLoader classLoader) {
        if (locations.isEmpty()) {
            return null;
        }
        if (!locations.equals(List.of("classpath:" + scripts))) {
            return scriptsProperty + " is set to Flyway scripts at " + locations + ", but " + property
                    + " to a Liquibase change log. Remove one of them.";
        }
        String script = anyScript(scripts, classLoader);
        return script == null
                ? null
                : property + " is set to a Liquibase change log, but " + scripts + " has a Flyway script, " + script
                        + ", which would not run. Remove it, or set " + scriptsProperty + " to nothing.";
    }

    /** A change log may be in the same directory. */
    private static @Nullable String anyScript(String scripts, ClassLoader classLoader) {
        try {
            for (Resource found : new PathMatchingResourcePatternResolver(classLoader)
                    .getResources("classpath*:" + scripts + "/**/*__*")) {
                String name = String.valueOf(found.getFilename());
                if (name.matches("(V[0-9].*|R)__.*\\.(sql|class)")) {
                    return name;
                }
            }
            return null;
        } catch (IOException e) {
            return null; // there is no such directory
        }
    }
}
