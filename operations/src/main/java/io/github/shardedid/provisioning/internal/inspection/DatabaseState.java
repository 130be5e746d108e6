package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.schema.FunctionSql;
import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.operations.internal.schema.StoredGlobal;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.internal.migration.WantedMigrations;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a database before anything is changed.
 *
 * @param name the configured name
 * @param identity equal for two names that lead to the same database
 * @param versionNumber of the server, as {@code server_version_num}: 150000 and up for PostgreSQL 15
 * @param user who looked
 * @param mayRead whether the user may read the tables in schema {@code sharded_id}, if they are there
 * @param owner who owns the schemas of the cluster, as SQL writes it; null if that is the user, or a role of which it has the rights
 * @param grants the statements that give the user all that provisioning needs; empty if it lacks nothing
 * @param cluster null if the database was never provisioned
 * @param functions those of schema {@code sharded_id}
 * @param shards what it owns or is being given
 * @param global null if it does not have the global entities
 * @param unfinished fingerprints of the scripts of runs in the shards that have not ended; empty if the user may not read them
 */
public record DatabaseState(
        String name,
        String identity,
        int versionNumber,
        String user,
        boolean mayRead,
        @Nullable String owner,
        List<String> grants,
        @Nullable StoredCluster cluster,
        Set<FunctionSql.Function> functions,
        List<StoredShard> shards,
        @Nullable StoredGlobal global,
        Set<String> unfinished) {

    public boolean provisioned() {
        return cluster != null && cluster.provisioned();
    }

    /** Whether its functions are to be replaced by those of this library. */
    public boolean isOutdated() {
        return cluster != null && !cluster.isCurrent();
    }

    /** Whether a schema is to be made, the migrations have not all run, or a run of the same scripts has not ended. */
    public boolean hasWork(WantedMigrations wanted) {
        return unfinished.contains(Objects.requireNonNullElse(wanted.fingerprint(), ""))
                || shards.stream()
                        .anyMatch(shard ->
                                shard.creating() || lacksMigrations(shard, wanted) || moveIsInTheWay(shard, wanted));
    }

    public static boolean isComplete(StoredShard shard, WantedMigrations wanted) {
        return shard.active() && wanted.isAt(shard.migrations());
    }

    public static boolean lacksMigrations(StoredShard shard, WantedMigrations wanted) {
        return shard.active() && !wanted.isAt(shard.migrations());
    }

    /** The source of a move whose structure must stay as it is, and yet is not what the application needs. */
    public static boolean moveIsInTheWay(StoredShard shard, WantedMigrations wanted) {
        return shard.moving() && !shard.state().equals(StoredShard.RECEIVING) && !wanted.isAt(shard.migrations());
    }
}
