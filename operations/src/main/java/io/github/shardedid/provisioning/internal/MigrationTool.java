package io.github.shardedid.provisioning.internal;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.topology.CommonSchemas;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A tool that runs change logs, in an artifact of its own. Found by {@link ServiceLoader}, since applications without change logs do not
 * have it on their class path. A provider has a public constructor without parameters.
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
     * Returns the tool for a change log.
     *
     * @throws IllegalStateException if its artifact is not on the class path
     */
    static MigrationTool of(ChangeLog changeLog) {
        return ServiceLoader.load(MigrationTool.class, MigrationTool.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No tool on the class path runs the Liquibase change log "
                        + changeLog.location() + ". Add io.github.shardedid:sharded-id-liquibase."));
    }
}
