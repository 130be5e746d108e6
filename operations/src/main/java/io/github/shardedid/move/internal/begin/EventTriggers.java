package io.github.shardedid.move.internal.begin;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Finds event triggers that refuse what a move does, by doing it in a transaction that is rolled back. */
final class EventTriggers {
    private static final String ENABLED = "SELECT evtname FROM pg_event_trigger WHERE evtenabled <> 'D' AND evtevent IN"
            + " ('ddl_command_start', 'ddl_command_end', 'sql_drop', 'table_rewrite') ORDER BY 1";

    /** Statements of all kinds that a move executes, except that of the subscription, which is tried with the privileges. */
    private static final List<String> STATEMENTS = List.of(
            "CREATE SCHEMA sharded_id_trial",
            "CREATE SEQUENCE sharded_id_trial.numbers",
            "CREATE TABLE sharded_id_trial.parent (id bigint PRIMARY KEY)",
            "CREATE TABLE sharded_id_trial.child (id bigint REFERENCES sharded_id_trial.parent)",
            "CREATE FUNCTION sharded_id_trial.one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "ALTER FUNCTION sharded_id_trial.one() SET search_path = pg_catalog",
            "CREATE INDEX child_id ON sharded_id_trial.child (id)",
            "DROP INDEX sharded_id_trial.child_id",
            "ALTER TABLE sharded_id_trial.child REPLICA IDENTITY FULL",
            "ALTER SEQUENCE sharded_id_trial.numbers MAXVALUE 1000",
            "CREATE TRIGGER refuse BEFORE INSERT ON sharded_id_trial.child FOR EACH STATEMENT"
                    + " EXECUTE FUNCTION sharded_id.refuse_write()",
            "DROP TRIGGER refuse ON sharded_id_trial.child",
            "CREATE PUBLICATION sharded_id_trial FOR TABLE sharded_id_trial.child",
            "DROP PUBLICATION sharded_id_trial",
            "GRANT USAGE ON SCHEMA sharded_id_trial TO PUBLIC",
            "REVOKE USAGE ON SCHEMA sharded_id_trial FROM PUBLIC",
            "ALTER SCHEMA sharded_id_trial RENAME TO sharded_id_trial_fenced",
            "DROP SCHEMA sharded_id_trial_fenced CASCADE");

    private EventTriggers() {}

    static List<String> obstacles(String database, Connection connection) throws SQLException {
        List<String> triggers = Sql.strings(connection, ENABLED);
        if (triggers.isEmpty()) {
            return List.of();
        }
        String tried = "";
        connection.setAutoCommit(false);
        try {
            for (String statement : STATEMENTS) {
                tried = statement;
                Sql.execute(connection, statement);
            }
            return List.of();
        } catch (SQLException e) {
            return List.of("Database " + database + " refuses what a move does: \"" + tried + "\" failed: "
                    + FailureReason.of(e) + ". It has event triggers, which run then: " + String.join(", ", triggers)
                    + ". Let these allow it to the mover's role, or disable them during moves.");
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }
}
