package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Creates subscriptions and replaces their connection strings, without showing the password to the server's log, to which a failed
 * statement is written with its text and, within functions, its context. So it is executed within a block that catches the failure
 * and raises it again without both.
 */
final class Subscribing {
    /**
     * A cancel, as by statement_timeout, is none of the others. That the other server is not reached has another SQL state than that
     * this one is not, after which pools close the connection.
     */
    private static final String EXECUTE =
            """
            DO $subscribe$
            DECLARE
              state text;
              message text;
              detail text;
              hint text;
            BEGIN
              EXECUTE pg_catalog.concat(%s, ' CONNECTION ',
                pg_catalog.quote_literal(pg_catalog.current_setting('sharded_id.connection')), ' ', %s);
            EXCEPTION WHEN query_canceled OR OTHERS THEN
              GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
                hint = PG_EXCEPTION_HINT;
              IF state LIKE '08%%' THEN
                state := 'HV00N';
              END IF;
              RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail, HINT = hint;
            END
            $subscribe$""";

    private Subscribing() {}

    /** Replaces the connection string, in a transaction of its own. Nothing connects; if it differs, the workers are restarted. */
    static void connect(Connection target, String name, String connection) throws SQLException {
        Sql.transaction(target, () -> execute(target, "ALTER SUBSCRIPTION " + name, connection, ""));
    }

    /** In the caller's transaction. A warning would be logged with its context: the publication must exist, if it connects. */
    static void create(Connection target, String name, String connection, String rest) throws SQLException {
        execute(target, "CREATE SUBSCRIPTION " + name, connection, rest);
    }

    private static void execute(Connection target, String statement, String connection, String rest)
            throws SQLException {
        Sql.rows(target, "SELECT pg_catalog.set_config('sharded_id.connection', ?, true) IS NULL", connection);
        try {
            Sql.execute(target, EXECUTE.formatted(Sql.literal(statement), Sql.literal(rest)));
        } catch (SQLException e) {
            throw withoutContext(e);
        }
        Sql.execute(target, "SET LOCAL sharded_id.connection = ''");
    }

    /** The context is the line of the block that raises the failure again. */
    private static SQLException withoutContext(SQLException failure) {
        ServerErrorMessage said = failure instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
        if (said == null) {
            return failure;
        }
        String text = Stream.of(said.getMessage(), said.getDetail(), said.getHint())
                .flatMap(Stream::ofNullable)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        SQLException plain = new SQLException(said.getSeverity() + ": " + text, failure.getSQLState());
        plain.addSuppressed(failure); // Not as its cause: the innermost message would be reported.
        return plain;
    }
}
