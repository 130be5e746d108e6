package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a write that is a transaction of its own. Its text, see {@link
 * io.github.shardedid.routing.internal.connection.Route}, is a query that fails unless exactly one row was written.
 */
final class LoneExecution {
    /** Cancelled, a lock that was not had in time, a deadlock: to wait as long once more would be another outcome. */
    private static final Set<String> TIMEOUTS = Set.of("57014", "55P03", "40P01");

    private LoneExecution() {}

    /** Whether it can be executed so. Of a batch, only one row. */
    static boolean fits(Method method, @Nullable Object @Nullable [] arguments, int rows) {
        return switch (method.getName()) {
            case "executeUpdate", "executeLargeUpdate" -> arguments == null && rows == 0;
            case "executeBatch", "executeLargeBatch" -> rows == 1;
            default -> false;
        };
    }

    /** Whether a value belongs to a transaction, as a large object does, or can be read only once. */
    static boolean isLarge(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName().endsWith("lob")
                || (arguments != null
                        && Arrays.stream(arguments)
                                .anyMatch(value -> value instanceof InputStream || value instanceof Reader));
    }

    static Object run(PreparedStatement statement, Method method) throws SQLException {
        try (ResultSet written = statement.executeQuery()) {
            written.next();
            return one(method);
        } finally {
            if (isBatch(method)) {
                statement.clearBatch();
            }
        }
    }

    /** What the method returns for one row. */
    static Object one(Method method) {
        return switch (method.getName()) {
            case "executeLargeUpdate" -> 1L;
            case "executeBatch" -> new int[] {1};
            case "executeLargeBatch" -> new long[] {1};
            default -> 1;
        };
    }

    private static boolean isBatch(Method method) {
        return method.getName().endsWith("Batch");
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
