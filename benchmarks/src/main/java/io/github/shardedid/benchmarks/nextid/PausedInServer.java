package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Rounds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Isolated calls, measured with the server's clock without round trips. Each pause is followed by a call of another kind. */
final class PausedInServer {
    private static final String FUNCTION =
            """
            CREATE FUNCTION pg_temp.isolated(calls int) RETURNS SETOF float8 LANGUAGE plpgsql AS $$
            DECLARE
              since timestamptz;
              %s
            BEGIN
              FOR i IN 1..calls LOOP
                %s
              END LOOP;
              %s
            END
            $$
            """;
    private static final String DECLARED = "id_%1$s %2$s; took_%1$s float8[];\n";
    private static final String CALLED = "PERFORM pg_sleep(" + Paused.SECONDS + "); since := clock_timestamp();"
            + " id_%1$s := %3$s; took_%1$s[i] := 1000000 * extract(epoch FROM clock_timestamp() - since);\n";
    /** The mean without the slowest tenth, which the scheduler made. */
    private static final String RETURNED = "RETURN QUERY SELECT avg(x) FROM"
            + " (SELECT x FROM unnest(took_%1$s) x ORDER BY x LIMIT greatest(1, calls * 9 / 10)) t;\n";

    private PausedInServer() {}

    /** So many calls of each way in a round, in microseconds. */
    static Rounds measure(Connection connection, List<SqlWay> ways, String sequence, int calls, int rounds)
            throws SQLException {
        Rounds measured = new Rounds();
        try (Statement statement = connection.createStatement()) {
            statement.execute(FUNCTION.formatted(
                    each(DECLARED, ways, sequence), each(CALLED, ways, sequence), each(RETURNED, ways, sequence)));
            for (int round = -1; round < rounds; round++) {
                try (ResultSet row = statement.executeQuery("SELECT * FROM pg_temp.isolated(" + calls + ")")) {
                    for (SqlWay way : ways) {
                        row.next();
                        if (round >= 0) {
                            measured.add(way.label(), row.getDouble(1));
                        }
                    }
                }
            }
        }
        return measured;
    }

    private static String each(String line, List<SqlWay> ways, String sequence) {
        StringBuilder lines = new StringBuilder();
        for (SqlWay way : ways) {
            lines.append(line.formatted(way.name(), way.type(), way.call(sequence)));
        }
        return lines.toString();
    }
}
