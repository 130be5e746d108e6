package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import java.util.List;
import java.util.Map;
import org.hibernate.cfg.SchemaToolingSettings;

/** The settings of Hibernate's schema management, which knows one schema and not those of the shards. */
final class SchemaManagement {
    private static final List<String> ACTIONS =
            List.of(SchemaToolingSettings.HBM2DDL_AUTO, SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION);

    private SchemaManagement() {}

    /** Replaces {@code validate} by the validation of the shards, and refuses to create or change tables. */
    static void replace(Map<String, Object> settings) {
        for (String name : ACTIONS) {
            Object action = settings.get(name);
            String text = action == null ? "none" : action.toString().toLowerCase(java.util.Locale.ROOT);
            if (text.equals("validate")) {
                settings.put(name, "none");
                settings.put(ShardingSettings.VALIDATE_TABLES, true);
            } else if (!text.equals("none")) {
                throw new ShardedIdMappingException(
                        name + " is " + action + ", but Hibernate cannot create the tables of"
                                + " every shard. Remove it, and write migrations, which run in the schema of every shard;"
                                + " validate compares the shards with the mappings.");
            }
        }
    }
}
