package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.scatter.ShardChunks.Chunk;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Set;
import org.postgresql.util.ServerErrorMessage;

/**
 * Writes on which database, and in which of its shards, a query over several shards failed, and tells failures
 * of which the query can be repeated from others.
 */
final class ScatterFailures {
    private static final String DATATYPE_MISMATCH = "42804";
    private static final String CANNOT_COERCE = "42846";
    private static final String READ_ONLY = "25006";

    /**
     * The SQLStates that PostgreSQL reports of names, types or numbers of columns that are not as the query
     * takes them to be.
     */
    private static final Set<String> OUTDATED =
            Set.of("42703", "42883", "42704", "42601", "42803", "42809", DATATYPE_MISMATCH, CANNOT_COERCE);

    private ScatterFailures() {}

    /**
     * Returns whether a failure may come from a table or a function that is not as it was when the query was
     * checked.
     */
    static boolean mayBeOutdated(SQLException e) {
        return OUTDATED.contains(String.valueOf(e.getSQLState())) || isStalePlan(e);
    }

    /**
     * Returns what to throw for a query that finds too many rows.
     *
     * @param most how many are allowed
     */
    static UnsupportedStatementException tooMany(ScatterQuery query, long most) {
        return new UnsupportedStatementException("A query over several shards found more than " + most
                + " rows, which are held in memory: " + SqlText.brief(query.text())
                + ". Page by key, with Limit or a ScrollPosition, set a fetch size, or allow more rows.");
    }

    /**
     * Returns whether a statement was prepared before the types of its columns changed. The driver does not
     * prepare it again by itself, as other statements are sent along; and the pool may have closed the
     * connection.
     */
    static boolean isStalePlan(SQLException e) {
        ServerErrorMessage message = ConnectionLoss.said(e);
        return message != null && "RevalidateCachedQuery".equals(message.getRoutine());
    }

    /**
     * Returns whether a statement for several shards has failed because a column has a type of the shards'
     * schemas, such as an enum: that is another type in each, and UNION ALL cannot match them.
     */
    static boolean areTypesOfShards(Chunk chunk, SQLException e) {
        boolean mismatch = DATATYPE_MISMATCH.equals(e.getSQLState()) || CANNOT_COERCE.equals(e.getSQLState());
        String message = String.valueOf(e.getMessage());
        return mismatch
                && chunk.shards().size() > 1
                && chunk.shards().stream().map(ShardSchema::nameOf).anyMatch(message::contains);
    }

    /**
     * Returns a failure of a chunk with the shards that were asked, and with a hint. One that says enough is
     * returned as it is.
     */
    static SQLException of(Chunk chunk, SQLException e) {
        if (e instanceof ShardMovedException || e instanceof SQLTimeoutException) {
            return e;
        }
        String hint =
                switch (e.getSQLState() == null ? "" : e.getSQLState()) {
                    case DATATYPE_MISMATCH, CANNOT_COERCE ->
                        " Columns whose type is defined in each shard's schema, such as an enum, have another type in"
                                + " each: cast them to text.";
                    case READ_ONLY -> " A query over several shards only reads: write to one shard.";
                    default ->
                        mayBeOutdated(e)
                                ? " The tables of these shards may have other columns than those of others: finish the"
                                        + " migration of all shards, or select columns that are alike."
                                : "";
                };
        return new SQLException(
                "A query over several shards failed in " + chunk + ": " + e.getMessage() + hint,
                e.getSQLState(),
                e.getErrorCode(),
                e);
    }

    /** Explains a failure of a chunk, whose database may be the reason. */
    static SQLException reading(Chunk chunk, SQLException e) {
        return isAway(e) ? away(chunk.database(), chunk.shards(), e) : of(chunk, e);
    }

    /** Returns whether a shard's database cannot be asked, or is unknown. */
    static boolean isAway(SQLException failure) {
        return failure instanceof DatabaseUnavailableException || ConnectionLoss.isLoss(failure);
    }

    /** Returns what to throw if a database cannot be asked. A result without its rows would look complete. */
    static SQLException away(String database, List<Integer> shards, SQLException e) {
        String what = "A query over several shards is incomplete without database " + database + ", whose shards "
                + ShardChunks.ranges(shards) + " it could not read: ";
        String instead = " To go on with what can be reached, ask for ShardSet.withoutUnreachable.";
        return e instanceof DatabaseUnavailableException
                ? new DatabaseUnavailableException(what + e.getMessage() + instead, e)
                : new ConnectionLostException(what + "the connection broke: " + e.getMessage() + instead, e);
    }
}
