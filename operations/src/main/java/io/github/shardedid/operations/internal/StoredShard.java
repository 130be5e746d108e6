package io.github.shardedid.operations.internal;

import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code sharded_id.shard}.
 *
 * @param shard the logical shard
 * @param generation incremented with each change of the owner, from 1
 * @param state one of the constants
 * @param migrations fingerprint of the migrations of its schema, which names the shard instead while they run; null if none have run
 * @param schemaExists whether its schema exists
 * @param successor the database that took it over from this one; null if it is here, or unknown
 */
public record StoredShard(
        int shard,
        long generation,
        String state,
        @Nullable String migrations,
        boolean schemaExists,
        @Nullable String successor) {
    /** The database has been given the shard; its schema does not exist yet. */
    public static final String CREATING = "CREATING";

    /** The database owns the shard and serves it. */
    public static final String ACTIVE = "ACTIVE";

    /** The database serves the shard while it is being copied to another one. */
    public static final String MOVING = "MOVING";

    /** The shard is about to be fenced: new transactions wait if they can, so that the fence meets few of them. */
    public static final String FENCING = "FENCING";

    /** No database serves the shard: its schema has another name here, and the other database does not own it yet. */
    public static final String FENCED = "FENCED";

    /** Another database owns the shard; the schema of another name is an old copy. */
    public static final String MOVED = "MOVED";

    /** The database is being given a copy of a shard that another one owns. */
    public static final String RECEIVING = "RECEIVING";

    private static final String SET_STATE = Sql.load(StoredShard.class, "set_state.sql");
    private static final String ALL = Sql.load(StoredShard.class, "shards.sql");

    /** Reads all rows, in the order of the shards. The table must exist. */
    public static List<StoredShard> readAll(Connection connection) throws SQLException {
        return Sql.query(connection, ALL + " ORDER BY s.shard", StoredShard::of);
    }

    /** Reads the row of one shard; null if the database does not know it. */
    public static @Nullable StoredShard read(Connection connection, int shard) throws SQLException {
        return Sql.first(connection, ALL + " WHERE s.shard = " + shard, StoredShard::of);
    }

    private static StoredShard of(ResultSet row) throws SQLException {
        return new StoredShard(
                row.getInt("shard"),
                row.getLong("generation"),
                row.getString("state"),
                row.getString("migrations"),
                row.getBoolean("present"),
                row.getString("successor"));
    }

    /** Sets the state of a shard if it has one of the given states; returns whether it had. */
    public static boolean setState(Connection connection, int shard, String to, String... from) throws SQLException {
        return Sql.update(connection, SET_STATE, to, shard, List.of(from)) == 1;
    }

    /** Returns whether the schema does not exist yet. */
    public boolean creating() {
        return state.equals(CREATING);
    }

    /** Returns whether the database serves the shard, which is not being moved. */
    public boolean active() {
        return state.equals(ACTIVE);
    }

    /** Returns whether the schema must exist under its own name. */
    public boolean served() {
        return active() || state.equals(MOVING) || state.equals(FENCING);
    }

    /** Returns whether a move of the shard, away or here, has not ended. */
    public boolean moving() {
        return state.equals(MOVING) || state.equals(FENCING) || state.equals(FENCED) || state.equals(RECEIVING);
    }

    /** Returns the contribution to a shard map; null if there is none. */
    @Nullable
    public ShardOwnership ownership(String database) {
        Standing standing =
                switch (state) {
                    case ACTIVE, MOVING -> Standing.SERVING;
                    case FENCING -> Standing.FENCING;
                    case FENCED -> Standing.FENCED;
                    case MOVED -> Standing.LEFT;
                    default -> null;
                };
        return standing == null ? null : new ShardOwnership(shard, database, generation, standing, successor);
    }
}
