package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.sql.SQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Explains what a constraint on ids has refused. A row is where its id says, and the constraint of each table
 * is the last layer that keeps it so; PostgreSQL's own message would only name the constraint.
 */
final class MisplacedIds {
    /** The name of the constraint on a key. For another column, its name follows. */
    private static final String CONSTRAINT = "sharded_id_check";

    private MisplacedIds() {}

    /**
     * Does nothing about other failures.
     *
     * @throws WrongShardException if a statement would have written an id of another shard
     */
    static void requireNone(Route route, SQLException failure) {
        ServerErrorMessage refusal = "23514".equals(failure.getSQLState()) ? ConnectionLoss.said(failure) : null;
        String constraint = refusal == null ? null : refusal.getConstraint();
        if (refusal == null || constraint == null || !constraint.startsWith(CONSTRAINT)) {
            return;
        }
        String row = "a row of " + refusal.getSchema() + "." + refusal.getTable();
        String subject = constraint.equals(CONSTRAINT)
                ? "The id of " + row
                : "Column " + constraint.substring(CONSTRAINT.length() + 1) + " of " + row;
        throw new WrongShardException(
                subject + " would be an id of another shard than that of the statement, " + route.target()
                        + " on database " + route.physical().database()
                        + ". No lookup by the id would find the row there, so PostgreSQL has refused it (constraint "
                        + constraint + "): " + SqlText.brief(route.sql())
                        + (refusal.getDetail() == null ? "." : ". " + refusal.getDetail())
                        + " Roll back the transaction, and write the row in the scope of the shard that its id names:"
                        + " ShardContext.run(shard, …). If it is the id of another row that this one refers to, both must be in"
                        + " one shard, or the association needs @ForeignShard.",
                failure);
    }
}
