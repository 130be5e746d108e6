package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.internal.MigrationTool;
import io.github.shardedid.provisioning.internal.SchemaMigrations;
import io.github.shardedid.topology.CommonSchemas;
import org.jspecify.annotations.Nullable;

/** Offers Liquibase to provisioning. */
public final class LiquibaseTool implements MigrationTool {
    @Override
    public SchemaMigrations of(ChangeLog changeLog, @Nullable ClassLoader classLoader, CommonSchemas commonSchemas) {
        return new LiquibaseMigrations(changeLog, classLoader, commonSchemas);
    }
}
