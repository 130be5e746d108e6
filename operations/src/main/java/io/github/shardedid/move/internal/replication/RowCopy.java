package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
import org.postgresql.jdbc.PgConnection;

/** Copies the rows of a table through this process, as text. */
public final class RowCopy {
    private static final String COLUMNS = "SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM"
            + " pg_attribute a WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''";

    private static final String SAME_TEXT = "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';"
            + " SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex';"
            + " SET LOCAL lc_monetary = 'C'; SET LOCAL xmloption = 'content'; SET LOCAL row_security = off";

    private RowCopy() {}

    /**
     * Lets a transaction write and read the same text for the same value, whatever the server's settings are.
     *
     * @param path the schema of unqualified names
     */
    public static void sameText(Connection connection, String path) throws SQLException {
        Sql.execute(connection, SAME_TEXT + "; SET LOCAL search_path = " + path);
    }

    /**
     * Copies a table within the transactions of both connections.
     *
     * @param from the qualified name
     * @param to the qualified name
     * @return the number of rows
     */
    public static long copy(Connection source, String from, Connection target, String to) throws SQLException {
        String columns = String.valueOf(Sql.text(source, COLUMNS, from));
        CopyOut out =
                source.unwrap(PgConnection.class).getCopyAPI().copyOut("COPY " + from + " (" + columns + ") TO STDOUT");
        CopyIn in =
                target.unwrap(PgConnection.class).getCopyAPI().copyIn("COPY " + to + " (" + columns + ") FROM STDIN");
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            in.writeToCopy(row, 0, row.length);
        }
        return in.endCopy();
    }
}
