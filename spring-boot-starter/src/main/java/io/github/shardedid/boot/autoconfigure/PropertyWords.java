package io.github.shardedid.boot.autoconfigure;

import static io.github.shardedid.WayOut.*;

import io.github.shardedid.WayOut;
import java.util.Map;

/** Names the properties and the commands of this starter in the messages of the library. Loaded as a service. */
public final class PropertyWords implements WayOut.Words {
    /** For the service loader. */
    public PropertyWords() {}

    @Override
    public Map<WayOut, String> words() {
        return Map.ofEntries(
                Map.entry(MIGRATIONS, "sharded-id.migrations"),
                Map.entry(GLOBAL_MIGRATIONS, "sharded-id.global.migrations"),
                Map.entry(GLOBAL_SCHEMA, "sharded-id.global.schema"),
                Map.entry(GLOBAL_DATABASE, "sharded-id.global.database"),
                Map.entry(
                        DATA_SOURCE,
                        "the sharded data source, which the Spring Boot starter creates if sharded-id.databases names databases"),
                Map.entry(DATABASE, "sharded-id.databases.%s"),
                Map.entry(DIRECT_DATABASE, "sharded-id.databases.%s.direct-url to a URL"),
                Map.entry(MAX_ROWS, "sharded-id.all-shards.max-rows"),
                Map.entry(COMMON_SCHEMAS, "sharded-id.common-schemas"),
                Map.entry(ROLES, "sharded-id.provisioning.application-role, reader-role and mover-role"),
                Map.entry(RESUME_MOVE, "--sharded-id.resume-move=%s"),
                Map.entry(ABORT_MOVE, "--sharded-id.abort-move=%s"),
                Map.entry(COPIES, "--sharded-id.recover=%s"),
                Map.entry(RECOVER, "--sharded-id.recover=%s:%s"));
    }
}
