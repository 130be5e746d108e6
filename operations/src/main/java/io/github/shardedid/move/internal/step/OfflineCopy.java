package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveMismatchException;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
import org.postgresql.jdbc.PgConnection;

/** Copies a fenced shard's rows through this process, by one transaction at each side. */
final class OfflineCopy {
    private static final String SAME_TEXT = "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';"
            + " SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex';"
            + " SET LOCAL search_path = pg_catalog";
    private static final String COLUMNS = "SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM"
            + " pg_attribute a WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''";
    private static final String REFERENCES = "SELECT c.conrelid::regclass::text, quote_ident(c.conname),"
            + " pg_get_constraintdef(c.oid) FROM pg_constraint c WHERE c.connamespace = ?::regnamespace AND c.contype = 'f'"
            + " AND c.conparentid = 0 ORDER BY 1, 2";
    private static final String TRIGGERS = "SELECT t.tgrelid::regclass::text, quote_ident(t.tgname) FROM pg_trigger t"
            + " JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = ?::regnamespace AND NOT t.tgisinternal"
            + " AND t.tgenabled = 'O' ORDER BY 1, 2";

    private final Moving moving;
    private final Connection source;
    private final Connection target;
    private long rows;

    OfflineCopy(Moving moving) {
        this.moving = moving;
        this.source = moving.source();
        this.target = moving.target();
    }

    void run() throws SQLException {
        Sql.transaction(source, () -> {
            Sql.execute(source, SAME_TEXT);
            Sql.transaction(target, () -> {
                Sql.execute(target, SAME_TEXT);
                copy();
            });
        });
    }

    /** Foreign keys are checked once all rows are there; triggers do not fire. */
    private void copy() throws SQLException {
        String schema = moving.names().schema();
        List<List<@Nullable String>> references = Sql.rows(target, REFERENCES, schema);
        List<List<@Nullable String>> triggers = Sql.rows(target, TRIGGERS, schema);
        for (List<@Nullable String> key : references) {
            Sql.execute(target, "ALTER TABLE " + key.get(0) + " DROP CONSTRAINT " + key.get(1));
        }
        for (List<@Nullable String> trigger : triggers) {
            Sql.execute(target, "ALTER TABLE " + trigger.get(0) + " DISABLE TRIGGER " + trigger.get(1));
        }
        for (String table : Tables.copied(source, moving.names().fenced())) {
            copy(table);
        }
        for (List<@Nullable String> trigger : triggers) {
            Sql.execute(target, "ALTER TABLE " + trigger.get(0) + " ENABLE TRIGGER " + trigger.get(1));
        }
        for (List<@Nullable String> key : references) {
            Sql.execute(target, "ALTER TABLE " + key.get(0) + " ADD CONSTRAINT " + key.get(1) + " " + key.get(2));
        }
    }

    private void copy(String table) throws SQLException {
        String from = Tables.qualified(moving.names().fenced(), table);
        String to = Tables.qualified(moving.names().schema(), table);
        String columns = String.valueOf(Sql.text(source, COLUMNS, from));
        CopyOut out =
                source.unwrap(PgConnection.class).getCopyAPI().copyOut("COPY " + from + " (" + columns + ") TO STDOUT");
        CopyIn in =
                target.unwrap(PgConnection.class).getCopyAPI().copyIn("COPY " + to + " (" + columns + ") FROM STDIN");
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            in.writeToCopy(row, 0, row.length);
        }
        rows += in.endCopy();
        moving.report(new MoveProgress(moving.move(), MoveStep.CARRY_OVER, rows, -1, -1, -1, -1, null, null));
        String here = digest(source, from);
        String there = digest(target, to);
        if (!here.equals(there)) {
            throw new MoveMismatchException(moving.title() + " has stopped: table " + table
                    + " is not the same in both copies (rows and their digest: " + here + ", but " + there
                    + "). The source keeps the shard. Abort the move.");
        }
    }

    private static String digest(Connection connection, String table) throws SQLException {
        return String.valueOf(Sql.text(
                connection,
                "SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM " + table + " t"));
    }
}
