package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveMismatchException;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
import org.postgresql.jdbc.PgConnection;

/** ShardCopies the rows of a schema that nobody changes through this process, by one transaction at each side. */
public final class OfflineCopy {
    private static final String REFERENCES = "SELECT c.conrelid::regclass::text, quote_ident(c.conname),"
            + " pg_get_constraintdef(c.oid) FROM pg_constraint c WHERE c.connamespace = ?::regnamespace AND c.contype = 'f'"
            + " AND c.conparentid = 0 ORDER BY 1, 2";
    private static final String TRIGGERS = "SELECT t.tgrelid::regclass::text, quote_ident(t.tgname) FROM pg_trigger t"
            + " JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = ?::regnamespace AND NOT t.tgisinternal"
            + " AND t.tgenabled = 'O' ORDER BY 1, 2";

    private static final String COLUMNS = "SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM"
            + " pg_attribute a WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''";

    /** Lets both sides write and read the same text for the same value, whatever their settings are. */
    private static final String SAME_TEXT = "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';"
            + " SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex';"
            + " SET LOCAL lc_monetary = 'C'; SET LOCAL xmloption = 'content'; SET LOCAL row_security = off;"
            + " SET LOCAL search_path = pg_catalog";

    private final Side source;
    private final Side target;
    private final String title;
    private final String wayOut;
    private final LongConsumer progress;
    private long rows;

    /** A schema of a database. */
    public record Side(Connection connection, String schema) {
        String qualified(String table) {
            return ShardTables.qualified(schema, table);
        }
    }

    /**
     * ShardCopies nothing yet.
     *
     * @param title begins the message of a failure, with what has stopped
     * @param wayOut ends it
     * @param progress is called with the number of rows copied so far
     */
    public OfflineCopy(Side source, Side target, String title, String wayOut, LongConsumer progress) {
        this.source = source;
        this.target = target;
        this.title = title;
        this.wayOut = wayOut;
        this.progress = progress;
    }

    static OfflineCopy of(MoveContext moving) {
        return new OfflineCopy(
                new Side(moving.source(), moving.names().fenced()),
                new Side(moving.target(), moving.names().schema()),
                moving.title(),
                "The source keeps the shard. Abort the move.",
                rows -> moving.report(
                        new MoveProgress(moving.move(), MoveStep.CARRY_OVER, rows, -1, -1, -1, -1, null, null)));
    }

    void run() throws SQLException {
        Sql.transaction(
                source.connection(),
                () -> Sql.transaction(target.connection(), () -> {
                    List<String> tables = ShardTables.copied(source.connection(), source.schema());
                    copy(tables, () -> {});
                }));
    }

    /**
     * ShardCopies some tables within the transactions of both connections. Foreign keys are checked once all rows are there; triggers do
     * not fire.
     *
     * @param first runs before the first row is copied
     */
    public void copy(List<String> tables, Sql.Work first) throws SQLException {
        Sql.execute(source.connection(), SAME_TEXT);
        Sql.execute(target.connection(), SAME_TEXT);
        List<List<@Nullable String>> references = Sql.rows(target.connection(), REFERENCES, target.schema());
        List<List<@Nullable String>> triggers = Sql.rows(target.connection(), TRIGGERS, target.schema());
        alter(references, "DROP CONSTRAINT", false);
        alter(triggers, "DISABLE TRIGGER", false);
        first.run();
        for (String table : tables) {
            copy(table);
        }
        alter(triggers, "ENABLE TRIGGER", false);
        alter(references, "ADD CONSTRAINT", true);
    }

    private void alter(List<List<@Nullable String>> objects, String how, boolean defined) throws SQLException {
        for (List<@Nullable String> object : objects) {
            Sql.execute(
                    target.connection(),
                    "ALTER TABLE " + object.get(0) + " " + how + " " + object.get(1)
                            + (defined ? " " + object.get(2) : ""));
        }
    }

    private void copy(String table) throws SQLException {
        String from = source.qualified(table);
        String to = target.qualified(table);
        rows += copyRows(from, to);
        progress.accept(rows);
        String here = digest(source.connection(), from);
        String there = digest(target.connection(), to);
        if (!here.equals(there)) {
            throw new MoveMismatchException(
                    title + " has stopped: table " + table + " is not the same in both copies (rows and their digest: "
                            + here + ", but " + there + "). " + wayOut);
        }
    }

    private long copyRows(String from, String to) throws SQLException {
        String columns = String.valueOf(Sql.text(source.connection(), COLUMNS, from));
        CopyOut out = source.connection()
                .unwrap(PgConnection.class)
                .getCopyAPI()
                .copyOut("COPY " + from + " (" + columns + ") TO STDOUT");
        CopyIn in = target.connection()
                .unwrap(PgConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + to + " (" + columns + ") FROM STDIN");
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            in.writeToCopy(row, 0, row.length);
        }
        return in.endCopy();
    }

    private static String digest(Connection connection, String table) throws SQLException {
        return String.valueOf(Sql.text(
                connection,
                "SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM ONLY " + table + " t"));
    }
}
