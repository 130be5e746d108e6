package io.github.shardedid.provisioning.internal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code sharded_id.shard}.
 *
 * @param shard the logical shard
 * @param generation how often it has changed its home, from 1
 * @param state {@link #CREATING}, {@link #ACTIVE}, or a step of a move
 * @param migrations fingerprint of the migrations that its schema is at, or null if none have run
 * @param schemaExists whether its schema is there
 */
public record StoredShard(int shard, long generation, String state, @Nullable String migrations, boolean schemaExists) {
    /** The database has been given the shard; its schema is still to be made. */
    public static final String CREATING = "CREATING";

    /** The database owns the shard and serves it. */
    public static final String ACTIVE = "ACTIVE";

    private static final String ALL =
            "SELECT s.shard, s.generation, s.state, s.migrations, n.oid IS NOT NULL AS present"
                    + " FROM sharded_id.shard s LEFT JOIN pg_namespace n"
                    + " ON n.nspname = 'shard_' || lpad(s.shard::text, greatest(4, length(s.shard::text)), '0')"
                    + " ORDER BY s.shard";

    /** Reads all rows, in the order of the shards. The table must exist. */
    public static List<StoredShard> readAll(Connection connection) throws SQLException {
        List<StoredShard> shards = new ArrayList<>();
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(ALL)) {
            while (row.next()) {
                shards.add(new StoredShard(
                        row.getInt("shard"),
                        row.getLong("generation"),
                        row.getString("state"),
                        row.getString("migrations"),
                        row.getBoolean("present")));
            }
        }
        return shards;
    }

    /** Whether the schema is still to be made. */
    boolean creating() {
        return state.equals(CREATING);
    }

    /** Whether the database serves the shard. */
    boolean active() {
        return state.equals(ACTIVE);
    }
}
