package io.github.shardedid.boot.migration;

import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Flyway settings. {@code toString()} omits the values of placeholders, which may be secrets.
 *
 * @param outOfOrder Whether to run a script with a lower version than one that has already run.
 * @param placeholders Values of ${name} in scripts, by name.
 * @param replay Whether to replay Flyway's statements of one shard in the others if they are plain SQL. Much faster.
 */
public record FlywayProperties(
        @DefaultValue("false") boolean outOfOrder,
        @DefaultValue Map<String, String> placeholders,
        @DefaultValue("true") boolean replay) {
    @Override
    public String toString() {
        return "Flyway[placeholders=" + placeholders.keySet() + "]";
    }
}
