package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a shard that is to be moved. The target's schema is made by those of this process, so they must be the ones that
 * have run at the source: while an application is deployed, instances with other ones run, too.
 */
public final class ShardScripts {
    private ShardScripts() {}

    /**
     * Returns why the shard cannot be moved before it is migrated; null if it can.
     *
     * @throws MoveRefusedException if the shard is newer than this process
     */
    public static @Nullable String missing(ShardMigrations migrations, int shard, String database, Connection source)
            throws SQLException {
        ScriptComparison scripts = migrations.compare(source, ShardSchema.nameOf(shard));
        String where = "Shard " + shard + " in database " + database;
        if (!scripts.newer().isEmpty()) {
            throw new MoveRefusedException(
                    Reason.UNKNOWN_SCRIPTS,
                    where + " has scripts that are not known here: "
                            + String.join(", ", scripts.newer())
                            + ". It is left to an instance that knows them, such as one of the application's newest version.");
        }
        return scripts.missing().isEmpty()
                ? null
                : where + " lacks scripts that are known here: " + String.join(", ", scripts.missing())
                        + ". Provision first.";
    }
}
