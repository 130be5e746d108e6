package io.github.shardedid.operations.internal;

import java.util.Set;

/** Checks the names of databases. */
public final class DatabaseNames {
    private DatabaseNames() {}

    /**
     * Refuses data sources for other databases than those of the cluster.
     *
     * @throws IllegalArgumentException if the names differ
     */
    public static void requireSame(Set<String> configured, Set<String> given) {
        if (!configured.equals(given)) {
            throw new IllegalArgumentException(
                    "The cluster's databases are " + configured + ", but there are data sources for " + given + ".");
        }
    }
}
