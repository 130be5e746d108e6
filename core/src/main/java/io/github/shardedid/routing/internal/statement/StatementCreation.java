package io.github.shardedid.routing.internal.statement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The properties by which a physical statement without SQL of its own is created, and which it has for its
 * results.
 *
 * <p>They are known before there is a physical statement. So what the driver would refuse is refused here, when
 * the application creates the statement, and not when it executes it.
 *
 * @param type the type of results
 * @param concurrency whether results can be updated
 * @param holdability null for the default of the connection
 */
public record StatementCreation(int type, int concurrency, @Nullable Integer holdability) {
    public static final StatementCreation DEFAULT =
            new StatementCreation(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, null);

    /**
     * Refuses what is no holdability of results.
     *
     * @throws SQLException if so
     */
    public static void requireHoldability(int holdability) throws SQLException {
        if (!isHoldability(holdability)) {
            throw new SQLException("Not a holdability of results: " + holdability + ".", "22023");
        }
    }

    private static boolean isHoldability(int holdability) {
        return holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT || holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    /** Refuses what the driver would refuse. */
    public void requireKnown() throws SQLException {
        boolean known = type >= ResultSet.TYPE_FORWARD_ONLY
                && type <= ResultSet.TYPE_SCROLL_SENSITIVE
                && (concurrency == ResultSet.CONCUR_READ_ONLY || concurrency == ResultSet.CONCUR_UPDATABLE)
                && (holdability == null || isHoldability(holdability));
        if (!known) {
            throw new SQLException(
                    "No results are of type " + type + ", concurrency " + concurrency
                            + (holdability == null ? "" : ", holdability " + holdability) + ".",
                    "22023");
        }
    }

    Statement on(Connection connection) throws SQLException {
        return holdability == null
                ? connection.createStatement(type, concurrency)
                : connection.createStatement(type, concurrency, holdability);
    }
}
