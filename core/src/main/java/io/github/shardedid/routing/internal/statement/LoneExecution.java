package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * The execution of a write that is a transaction of its own. Its text, see {@link
 * io.github.shardedid.routing.internal.connection.Route}, is a query that fails unless exactly one row was written. The driver
 * sends a batch of it in one round trip with one Sync, which is one transaction in autocommit.
 */
public final class LoneExecution {
    /** Cancelled, a lock that was not had in time, a deadlock: to wait as long once more would be another outcome. */
    private static final Set<String> TIMEOUTS = Set.of("57014", "55P03", "40P01");

    /**
     * A larger batch costs the server more, as its text does, than the round trip that it saves. The driver ends a transaction in the
     * midst of a batch of some 250 rows.
     */
    public static final int MOST_ROWS = 20;

    private LoneExecution() {}

    /**
     * Whether it can be executed so.
     *
     * @param batched the rows of the batch, 0 without one
     * @param ending the rows that are left to write
     */
    static boolean fits(Statement statement, Method method, int batched, int ending) throws SQLException {
        return switch (method.getName()) {
            case "executeUpdate", "executeLargeUpdate" -> batched == 0 && ending == 1;
            case "executeBatch", "executeLargeBatch" ->
                batched > 0 && batched == ending && (batched == 1 || isOneTransaction(statement));
            default -> false;
        };
    }

    /** Whether the driver sends a batch as one transaction: in its simple mode, each row is one. */
    private static boolean isOneTransaction(Statement statement) throws SQLException {
        Connection connection = statement.getConnection();
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getPreferQueryMode() != PreferQueryMode.SIMPLE;
    }

    /** Whether a value belongs to a transaction, as a large object does, or can be read only once. */
    static boolean isLarge(Method method, @Nullable Object @Nullable [] arguments) {
        boolean large = method.getName().endsWith("lob");
        for (int i = 1; arguments != null && i < arguments.length; i++) {
            large |= arguments[i] instanceof InputStream || arguments[i] instanceof Reader;
        }
        return large;
    }

    /**
     * Executes it.
     *
     * @param batched the rows of the batch, 0 without one
     * @param path what is executed before it, for a single row; null for nothing
     */
    static Object run(PreparedStatement statement, Method method, int batched, @Nullable PathFirst path)
            throws SQLException {
        if (batched > 1) {
            statement.executeBatch();
            return written(method, batched);
        }
        try (ResultSet written = path == null ? statement.executeQuery() : path.query(statement)) {
            written.next();
            return written(method, batched);
        } finally {
            if (batched == 1) {
                statement.clearBatch();
            }
        }
    }

    /** What the method returns if each call has written one row. */
    static Object written(Method method, int batched) {
        return switch (method.getName()) {
            case "executeLargeUpdate" -> 1L;
            case "executeBatch" -> {
                int[] each = new int[batched];
                Arrays.fill(each, 1);
                yield each;
            }
            case "executeLargeBatch" -> {
                long[] each = new long[batched];
                Arrays.fill(each, 1);
                yield each;
            }
            default -> 1;
        };
    }

    /** Whether the row may have been written all the same. */
    static boolean isUnknown(SQLException failure) {
        return ConnectionLoss.isLoss(failure);
    }

    /** Whether it is not to be tried again. */
    static boolean isTimeout(SQLException failure) {
        return TIMEOUTS.contains(String.valueOf(failure.getSQLState()));
    }
}
