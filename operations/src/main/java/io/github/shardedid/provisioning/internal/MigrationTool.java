package io.github.shardedid.provisioning.internal;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.topology.CommonSchemas;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A tool that runs change logs. Found by {@link ServiceLoader}, so that nothing else names its classes, which an application without
 * change logs does not have on its class path. A provider has a public constructor without parameters.
 */
public interface MigrationTool {
    /**
     * Prepares to run a change log; reads nothing yet.
     *
     * @param classLoader finds the files of the change log; null for the current thread's context class loader
     * @param commonSchemas the schemas that are visible beside the one that is migrated
     */
    SchemaMigrations of(ChangeLog changeLog, @Nullable ClassLoader classLoader, CommonSchemas commonSchemas);

    /**
     * Prepares to run a change log by the tool on the class path.
     *
     * @throws IllegalStateException if there is none
     */
    static SchemaMigrations migrations(
            ChangeLog changeLog, @Nullable ClassLoader classLoader, CommonSchemas commonSchemas) {
        return ServiceLoader.load(MigrationTool.class, MigrationTool.class.getClassLoader())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("Liquibase is not on the class path, so that the change log "
                                + changeLog.location() + " cannot run. Add io.github.shardedid:sharded-id-liquibase."))
                .of(changeLog, classLoader, commonSchemas);
    }
}
