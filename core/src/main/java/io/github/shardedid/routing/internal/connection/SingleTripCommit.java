package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
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
 * The commit of a transaction in the round trip of its last write, which saves the round trip of the COMMIT.
 *
 * <ol>
 *   <li>Before its last write, a flush announces how many rows are left, and the text of the statement.
 *   <li>If the transaction has done nothing but plain queries outside of it, see {@link
 *       Transaction#allowsSingleTrip}, the statement is sent in autocommit, as a query that fails unless
 *       exactly one row was written. The driver sends a batch of it in one round trip with one Sync, which is
 *       one transaction in autocommit.
 *   <li>A transaction that claims values that are unique over all shards has begun before: their claims name it. The statement is then sent with the
 *       COMMIT behind it, in one round trip, if it writes a single row.
 *   <li>If it succeeds, the transaction refuses further writes and rollbacks: only the commit may follow,
 *       which sends nothing.
 *   <li>If the database refuses it, nothing was written. It is sent again as a part of the transaction, and
 *       fails as it would have there, or says how many rows it has changed. If the transaction had begun, it is rolled back to a savepoint before;
 *       but not if it was the COMMIT that was refused.
 *   <li>If the connection breaks, the outcome is unknown: the commit fails and says so.
 * </ol>
 *
 * <p>For one thread at a time.
 */
public final class SingleTripCommit {
    /**
     * A larger batch costs the server more, as its text does, than the round trip that it saves. The driver
     * ends a transaction in the midst of a batch of some 250 rows.
     */
    private static final int MOST_ROWS = 20;
    /**
     * Fails, and so undoes everything, triggers included, unless exactly one row was written. It begins with a
     * line break, as the text may end with a comment.
     */
    private static final String ONE_ROW =
            "\n returning 1) select 1/(case count(*) when 1 then 1 else 0 end) from written";
    /** Is set before a write in a transaction that has begun; what fails does not reach the COMMIT, and is undone to it. */
    private static final String SAVEPOINT = "sharded_id_write";

    /**
     * The SQLStates of a cancelled statement, a lock that was not granted in time, and a deadlock: to wait as
     * long once more would be another outcome.
     */
    private static final Set<String> TIMEOUTS = Set.of("57014", "55P03", "40P01");

    /** The number of rows that were announced. */
    private final int rows;
    /** The text that was announced, by which the statement is recognized. */
    private final String sql;
    /** The database to which the write was sent, for messages. */
    String database = "";
    /**
     * True if the database has committed the write. Until it answers, the outcome is unknown: the thread may be
     * interrupted meanwhile.
     */
    boolean answered;
    /** The failure by which it is unknown whether the write took effect; null if there is none. */
    @Nullable
    SQLException unknown;

    private SingleTripCommit(int rows, String sql) {
        this.rows = rows;
        this.sql = sql;
    }

    /** Executes the write, and passes over the results of what sets the search path before it. */
    @FunctionalInterface
    public interface Query {
        void execute(PreparedStatement statement) throws SQLException;
    }

    /** Returns the commit of a last write of so many rows; null if it cannot be one. */
    public static @Nullable SingleTripCommit after(int rows, String sql) {
        return rows == 0 || rows > MOST_ROWS ? null : new SingleTripCommit(rows, sql);
    }

    /**
     * Returns the text of a write that commits.
     *
     * @param begun whether it is sent with the COMMIT of a transaction, rather than in autocommit
     */
    static String textOf(String sql, boolean begun) {
        return (begun ? "savepoint " + SAVEPOINT + "; " : "") + "with written as (" + sql + ONE_ROW
                + (begun ? "; commit" : "");
    }

    /** Returns whether a statement is the one that was announced. */
    public boolean isOf(String text, SqlAnalysis analysis) {
        return sql.equals(text) && analysis.singleWrite();
    }

    /**
     * Returns whether the rows are the batch of one statement. What has to be executed before it does not fit
     * into one round trip.
     */
    public boolean isBatch() {
        return rows > 1;
    }

    /**
     * Returns whether an execution writes all that was announced.
     *
     * @param batched the rows of the batch, 0 without one
     */
    public boolean fits(Statement statement, Method method, int batched) throws SQLException {
        return switch (method.getName()) {
            case "executeUpdate" -> batched == 0 && rows == 1;
            case "executeBatch" -> batched > 0 && batched == rows && (batched == 1 || isOneTransaction(statement));
            default -> false;
        };
    }

    /** Returns whether the driver sends a batch as one transaction: in its simple mode, each row is one. */
    private static boolean isOneTransaction(Statement statement) throws SQLException {
        Connection connection = statement.getConnection();
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getPreferQueryMode() != PreferQueryMode.SIMPLE;
    }

    /** Returns whether a value belongs to a transaction, as a large object does, or can be read only once. */
    public static boolean isLarge(Method method, @Nullable Object @Nullable [] arguments) {
        boolean large = method.getName().endsWith("lob");
        for (int i = 1; arguments != null && i < arguments.length; i++) {
            large |= arguments[i] instanceof InputStream || arguments[i] instanceof Reader;
        }
        return large;
    }

    /** Executes the write, and returns what the application's method returns. */
    public static Object run(PreparedStatement statement, Method method, int batched, @Nullable Query query)
            throws SQLException {
        if (batched > 1) {
            statement.executeBatch();
            return written(method, batched);
        }
        if (query == null) {
            statement.execute();
        } else {
            query.execute(statement);
        }
        try (ResultSet written = rows(statement)) {
            written.next();
            return written(method, batched);
        } finally {
            if (batched == 1) {
                statement.clearBatch();
            }
        }
    }

    /** Returns the only result with rows. That of a savepoint is before it, and that of the COMMIT is behind it. */
    private static ResultSet rows(PreparedStatement statement) throws SQLException {
        ResultSet rows = statement.getResultSet();
        return rows == null && statement.getMoreResults() ? statement.getResultSet() : rows;
    }

    /** Undoes a write that was refused before the COMMIT of its transaction, which goes on. */
    public static void undo(PhysicalConnection on) throws SQLException {
        on.execute("rollback to savepoint " + SAVEPOINT);
    }

    /** Returns what a method returns if each call has written one row. */
    public static Object written(Method method, int batched) {
        if (method.getName().equals("executeUpdate")) {
            return 1;
        }
        int[] counts = new int[batched];
        Arrays.fill(counts, 1);
        return counts;
    }

    /** Returns whether a refused write is not sent again. */
    public static boolean isTimeout(SQLException failure) {
        return TIMEOUTS.contains(String.valueOf(failure.getSQLState()));
    }

    /**
     * Refuses a rollback: what the database has committed stays, and the application must not believe
     * otherwise.
     *
     * @throws SQLException always
     */
    void requireUncommitted() throws SQLException {
        requireKnown();
        throw new SQLException(
                "The last write, to database " + database + ", already committed this transaction; it cannot be rolled"
                        + " back. What was written stays.",
                "2D000");
    }

    /** Fails if it is unknown whether the write took effect. */
    void requireKnown() throws SQLException {
        if (unknown != null) {
            throw unknown;
        } else if (!answered) {
            throw new SQLException(
                    "The last write of this transaction, to database " + database
                            + ", was sent with its commit, and was" + " interrupted; the outcome is unknown.",
                    ConnectionLostException.OUTCOME_UNKNOWN);
        }
    }
}
