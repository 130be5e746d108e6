package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.SingleTripCommit;
import io.github.shardedid.routing.internal.connection.Transaction;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * One execution of a statement in one round trip with what sets its search path, and what the transaction has
 * set elsewhere: {@code SET search_path TO …; SELECT …}. The results of the first ones are passed over.
 *
 * <p>A call costs no more round trips than with a plain data source, so the path must not cost one either. The
 * driver sends several statements of one text together, and returns their results one after the other; this
 * class hides that from the application. What was set counts as set only after a success, since a failure
 * undoes it.
 *
 * @param settings the statement that sets what the transaction has set elsewhere; null if there is none
 * @param path the statement that sets the path; null if there is none
 */
record PathFirst(Route route, Transaction transaction, @Nullable String settings, @Nullable String path)
        implements SingleTripCommit.Query {
    /** Notes what holds after a success. */
    private void done() throws SQLException {
        if (settings != null) {
            transaction.settingsHoldOn(route.physical());
        }
        if (path != null) {
            route.physical().pathAlignment().set();
        }
    }

    /**
     * Returns the text with what comes first. There is no blank behind the semicolon, as positions in messages
     * of errors count from there.
     */
    String before(String sql) {
        return (settings == null ? "" : settings + ";") + (path == null ? "" : path + ";") + sql;
    }

    /**
     * Passes over the results of what comes first.
     *
     * @return whether the next one has rows
     */
    private boolean pass(Statement statement) throws SQLException {
        if (settings != null && path != null) {
            statement.getMoreResults();
        }
        return statement.getMoreResults();
    }

    /** Executes the statement, and passes over the results of what comes first. */
    @Override
    public void execute(PreparedStatement statement) throws SQLException {
        statement.execute();
        pass(statement);
        done();
    }

    /**
     * Does what the driver's method of that name would do, and returns what it would return, if the text were
     * not behind another one. It also throws the driver's exceptions with their messages, as applications and
     * tests know them.
     */
    Object execute(Statement statement, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Method execute = method.getDeclaringClass().getMethod("execute", method.getParameterTypes());
        DriverCall.forward(statement, execute, arguments);
        done();
        boolean rows = pass(statement);
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
