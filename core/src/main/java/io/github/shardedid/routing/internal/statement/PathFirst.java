package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Route;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * One execution of a statement in one round trip with what sets its search path: {@code SET search_path TO …; SELECT …}. The result of
 * the first one is passed over.
 */
final class PathFirst {
    private final String path;
    private final boolean wantsKeys;
    private @Nullable ResultSet keys;

    /** {@code wantsKeys} says whether generated keys are returned, for which the driver takes the result of the path. */
    PathFirst(String path, boolean wantsKeys) {
        this.path = path;
        this.wantsKeys = wantsKeys;
    }

    /**
     * Whether a statement may have another one before it, if it is not executed as a batch. The driver updates rows, or fetches them in
     * parts, by a text with one statement only.
     */
    static boolean fits(Route route, Statement statement, boolean keys) throws SQLException {
        return route.analysis().names().isSingle()
                && !keys
                && !(statement instanceof CallableStatement)
                && !StatementCreation.needsTransaction(statement);
    }

    /** The generated keys; null if none are wanted. */
    @Nullable
    ResultSet generatedKeys() {
        return keys;
    }

    String before(String sql) {
        return path + "; " + sql;
    }

    /** The rows of a query. */
    ResultSet query(PreparedStatement statement) throws SQLException {
        statement.execute();
        statement.getMoreResults();
        return statement.getResultSet();
    }

    /** What the driver's method of that name would do, and return, if the text were not behind another one. */
    Object execute(Statement statement, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Method execute = method.getDeclaringClass().getMethod("execute", method.getParameterTypes());
        DriverCall.forward(statement, execute, arguments);
        if (wantsKeys) {
            keys = statement.getResultSet();
        }
        boolean rows =
                statement.getMoreResults(wantsKeys ? Statement.KEEP_CURRENT_RESULT : Statement.CLOSE_CURRENT_RESULT);
        String name = method.getName();
        if (name.equals("execute")) {
            return rows;
        } else if (name.equals("executeQuery")) {
            if (!rows) {
                throw new PSQLException("No results were returned by the query.", PSQLState.NO_DATA);
            }
            return statement.getResultSet();
        } else if (rows) {
            throw new PSQLException("A result was returned when none was expected.", PSQLState.TOO_MANY_RESULTS);
        }
        return name.equals("executeUpdate") ? (Object) statement.getUpdateCount() : statement.getLargeUpdateCount();
    }
}
