package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;

/** Says on which database, and in which of its shards, a query over several shards failed. */
final class ScatterFailures {
    private static final String DATATYPE_MISMATCH = "42804";
    private static final String CANNOT_COERCE = "42846";
    private static final String READ_ONLY = "25006";

    private ScatterFailures() {}

    /**
     * Whether a statement for several shards has failed because a column has a type of the shards' schemas, such as an enum: that is
     * another type in each, and UNION ALL cannot match them.
     */
    static boolean areTypesOfShards(ShardChunks.Chunk chunk, SQLException e) {
        boolean mismatch = DATATYPE_MISMATCH.equals(e.getSQLState()) || CANNOT_COERCE.equals(e.getSQLState());
        String message = String.valueOf(e.getMessage());
        return mismatch
                && chunk.shards().size() > 1
                && chunk.shards().stream().map(ShardSchema::nameOf).anyMatch(message::contains);
    }

    static SQLException of(ShardChunks.Chunk chunk, SQLException e) {
        if (e instanceof ShardMovedException || e instanceof SQLTimeoutException) {
            return e;
        }
        String hint =
                switch (e.getSQLState() == null ? "" : e.getSQLState()) {
                    case DATATYPE_MISMATCH, CANNOT_COERCE ->
                        " Columns whose type is defined in each shard's schema, such as an enum, have another type in"
                                + " each: cast them to text.";
                    case READ_ONLY -> " A query over several shards only reads: write to one shard.";
                    default -> "";
                };
        return new SQLException(
                "A query over several shards failed in " + chunk + ": " + e.getMessage() + hint,
                e.getSQLState(),
                e.getErrorCode(),
                e);
    }

    /** While rows are fetched. */
    static SQLException reading(ShardChunks.Chunk chunk, SQLException e) {
        return ChunkRelocation.isAway(e) ? away(chunk.database(), chunk.shards(), e) : of(chunk, e);
    }

    static SQLException away(String database, List<Integer> shards, SQLException e) {
        String what = "A query over several shards is incomplete without database " + database + ", whose shards "
                + ShardChunks.ranges(shards) + " it could not read: ";
        String instead = " To go on with what can be reached, ask for ShardSet.withoutUnreachable.";
        return e instanceof DatabaseUnavailableException
                ? new DatabaseUnavailableException(what + e.getMessage() + instead, e)
                : new ConnectionLostException(what + "the connection broke: " + e.getMessage() + instead, e);
    }
}
