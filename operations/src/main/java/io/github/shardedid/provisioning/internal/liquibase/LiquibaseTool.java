package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.internal.MigrationTool;
import io.github.shardedid.provisioning.internal.SchemaMigrations;
import io.github.shardedid.topology.CommonSchemas;
import org.jspecify.annotations.Nullable;

/**
 * Offers Liquibase to provisioning. Names no class of Liquibase, which is optional, except as text: this class has to load without it so
 * that its absence is reported by the name of the missing dependency instead of a {@link NoClassDefFoundError}.
 */
public final class LiquibaseTool implements MigrationTool {
    @Override
    public SchemaMigrations of(ChangeLog changeLog, @Nullable ClassLoader classLoader, CommonSchemas commonSchemas) {
        try {
            Class.forName("liquibase.Scope", false, LiquibaseTool.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Liquibase is not on the class path, so that the change log " + changeLog.location()
                            + " cannot run. Add org.liquibase:liquibase-core.",
                    e);
        }
        return new LiquibaseMigrations(changeLog, classLoader, commonSchemas);
    }
}
