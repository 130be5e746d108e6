package io.github.shardedid.example.servers;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is configured as {@code example.embedded}.
 *
 * @param databases by the names of the databases: the ranges of shards that each gets when it is new
 * @param dataDirectory where the data stays; null for a temporary directory that goes at exit
 */
record EmbeddedSettings(Map<String, String> databases, @Nullable Path dataDirectory) {
    EmbeddedSettings {
        if (databases == null || databases.isEmpty()) {
            throw new IllegalArgumentException("example.embedded.databases names no database, and neither does"
                    + " sharded-id.databases. Name at least one in either.");
        }
    }
}
