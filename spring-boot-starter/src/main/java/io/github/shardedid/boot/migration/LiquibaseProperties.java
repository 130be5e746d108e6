package io.github.shardedid.boot.migration;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Liquibase settings. {@code toString()} omits the values of parameters, which may be secrets.
 *
 * @param changeLog Liquibase change log on the class path, which runs in the schema of every shard. Not set: Flyway scripts run there.
 * @param globalChangeLog Liquibase change log on the class path, which runs in the global schema. Not set: Flyway scripts run there.
 * @param contexts Contexts whose change sets run, separated by commas. Not set: all.
 * @param labelFilter Expression of the labels whose change sets run. Not set: all.
 * @param parameters Values of ${name} in change logs, by name.
 */
public record LiquibaseProperties(
        @Nullable String changeLog,
        @Nullable String globalChangeLog,
        @Nullable String contexts,
        @Nullable String labelFilter,
        @DefaultValue Map<String, String> parameters) {
    @Override
    public String toString() {
        return "Liquibase[changeLog=" + changeLog + ", globalChangeLog=" + globalChangeLog + ", parameters="
                + parameters.keySet() + "]";
    }
}
