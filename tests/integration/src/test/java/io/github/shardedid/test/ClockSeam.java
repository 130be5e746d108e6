package io.github.shardedid.test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The clock of an attacked database: {@code clock_timestamp()} in the project's functions is replaced by a function that an
 * attacker sets. One call in twenty sees a clock up to 20 ms behind, too, so that it steps within a statement.
 */
public final class ClockSeam {
    /** What the functions call in place of {@code clock_timestamp()}. */
    public static final String CLOCK = "sharded_id_test.clock()";

    private static final String JITTER =
            " - CASE WHEN random() < 0.05 THEN random() * interval '20 milliseconds' ELSE interval '0' END";

    private ClockSeam() {}

    /** Replaces the clock, which stays that of the server until it is set. */
    public static void install(TestDatabase database) {
        database.execute("CREATE SCHEMA sharded_id_test;" + definition(Duration.ZERO, ""));
        database.query("SELECT replace(pg_get_functiondef(oid), 'pg_catalog.clock_timestamp()', '" + CLOCK
                        + "') FROM pg_proc"
                        + " WHERE pronamespace = 'sharded_id'::regnamespace AND prosrc LIKE '%clock_timestamp()%'")
                .forEach(database::execute);
    }

    /** Sets the clock for all sessions at once. */
    public static void set(Connection connection, Duration offset) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(definition(offset, JITTER));
        }
    }

    /** Sets the clock for all sessions at once, without jitter. */
    public static void set(TestDatabase database, Duration offset) {
        database.execute(definition(offset, ""));
    }

    /** The published function for a shard, on the same clock. */
    public static String published(int shard, String schema) {
        return "CREATE FUNCTION " + schema + ".published_id() RETURNS bigint LANGUAGE plpgsql AS $$"
                + " DECLARE seq_id bigint; now_millis bigint; result bigint; BEGIN"
                + " SELECT nextval('" + schema + ".published_id_seq') % 1024 INTO seq_id;"
                + " SELECT floor(extract(epoch FROM " + CLOCK + ") * 1000) INTO now_millis;"
                + " result := (now_millis - 1314220021721) << 23; result := result | (" + shard + " << 10);"
                + " RETURN result | seq_id; END $$;"
                + " ALTER TABLE " + schema + ".published ALTER id SET DEFAULT " + schema + ".published_id()";
    }

    private static String definition(Duration offset, String jitter) {
        return "CREATE OR REPLACE FUNCTION " + CLOCK + " RETURNS timestamptz LANGUAGE sql VOLATILE AS"
                + " $$ SELECT clock_timestamp() + " + offset.toMillis() + " * interval '1 millisecond'" + jitter
                + " $$";
    }
}
