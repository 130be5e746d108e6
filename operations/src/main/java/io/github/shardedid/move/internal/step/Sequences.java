package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.internal.journal.Moving;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a shard. A table lock does not block them, nor does another name of the schema block a call that
 * was waiting for the fence. So the fence ends them by bounds that they have reached, until it is removed.
 */
public final class Sequences {
    private static final String OWNERS = "SELECT c.relname, pg_get_userbyid(c.relowner) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'S' ORDER BY 1";
    private static final String DEFINITIONS =
            "SELECT sequencename, start_value, min_value, max_value, increment_by, cycle"
                    + " FROM pg_sequences WHERE schemaname = ? ORDER BY 1";

    /** The column that a sequence numbers, if an index finds its largest value; and whether its values are ids. */
    private static final String USES = "SELECT t.relname, a.attname, EXISTS (SELECT FROM pg_attrdef x WHERE"
            + " x.adrelid = t.oid AND x.adnum = a.attnum AND pg_get_expr(x.adbin, x.adrelid) LIKE '%next_id%')"
            + " FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid WHERE t.relkind IN ('r', 'p')"
            + " AND a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)"
            + " AND (t.oid, a.attnum) IN (SELECT ad.adrelid, ad.adnum FROM pg_attrdef ad JOIN pg_depend d"
            + " ON d.classid = 'pg_attrdef'::regclass AND d.objid = ad.oid WHERE d.refclassid = 'pg_class'::regclass"
            + " AND d.refobjid = ?::regclass UNION SELECT d.refobjid, d.refobjsubid FROM pg_depend d"
            + " WHERE d.classid = 'pg_class'::regclass AND d.objid = ?::regclass AND d.deptype IN ('a', 'i'))"
            + " AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indisvalid AND i.indpred IS NULL"
            + " AND i.indkey[0] = a.attnum)";

    private Sequences() {}

    /** A sequence before the fence, and the statements that end it and that continue it. */
    record Ended(String name, long last, boolean called, List<String> end, List<String> restart) {}

    /** Statements that wait for transactions that have used the sequences, and block others until the commit. */
    public static List<String> lock(Connection connection, String schema) throws SQLException {
        return Sql.rows(connection, OWNERS, schema).stream()
                .map(row -> "ALTER SEQUENCE " + Tables.qualified(schema, text(row, 0)) + " OWNER TO "
                        + Sql.name(text(row, 1)))
                .toList();
    }

    /** Called in the transaction that has locked them. */
    static List<Ended> read(Connection connection, String schema) throws SQLException {
        List<List<@Nullable String>> definitions = Sql.rows(connection, DEFINITIONS, schema);
        List<Ended> ended = new ArrayList<>();
        if (definitions.isEmpty()) {
            return ended;
        }
        String union = String.join(
                " UNION ALL ",
                definitions.stream()
                        .map(row -> "SELECT " + Sql.literal(text(row, 0)) + ", last_value, is_called FROM "
                                + Tables.qualified(schema, text(row, 0)))
                        .toList());
        for (List<@Nullable String> value : Sql.rows(connection, union)) {
            List<@Nullable String> definition = definitions.stream()
                    .filter(row -> text(row, 0).equals(text(value, 0)))
                    .findFirst()
                    .orElseThrow();
            ended.add(ended(schema, definition, Long.parseLong(text(value, 1)), "t".equals(text(value, 2))));
        }
        return ended;
    }

    private static Ended ended(String schema, List<@Nullable String> definition, long last, boolean called) {
        String sequence = Tables.qualified(schema, text(definition, 0));
        long start = Long.parseLong(text(definition, 1));
        long min = Long.parseLong(text(definition, 2));
        long max = Long.parseLong(text(definition, 3));
        boolean up = !text(definition, 4).startsWith("-");
        long bound = up ? Math.max(Math.max(last, start), min + 1) : Math.min(Math.min(last, start), max - 1);
        String set = "SELECT setval(" + Sql.literal(sequence) + ", ";
        String change = "ALTER SEQUENCE " + sequence + (up ? " MAXVALUE " : " MINVALUE ");
        return new Ended(
                text(definition, 0),
                last,
                called,
                List.of(change + bound + " NO CYCLE", set + bound + ", true)"),
                List.of(
                        change + (up ? max : min) + ("t".equals(text(definition, 5)) ? " CYCLE" : ""),
                        set + last + ", " + called + ")"));
    }

    /** Sets the target's sequences no lower than the source's, and no lower than what their columns hold. */
    static void carryOver(Moving moving) throws SQLException {
        List<String> remembered = moving.journal().remembered("sequences");
        for (int i = 0; i < remembered.size(); i += 3) {
            String sequence = Tables.qualified(moving.names().schema(), remembered.get(i));
            carryOver(
                    moving.target(),
                    moving.names().schema(),
                    sequence,
                    Long.parseLong(remembered.get(i + 1)),
                    Boolean.parseBoolean(remembered.get(i + 2)));
        }
    }

    private static void carryOver(Connection target, String schema, String sequence, long last, boolean called)
            throws SQLException {
        List<@Nullable String> own = own(target, sequence);
        long value = last;
        boolean used = called;
        if ("t".equals(own.get(1)) && !"t".equals(own.get(2))) {
            value = called ? Math.max(last, Long.parseLong(text(own, 0))) : Long.parseLong(text(own, 0));
            used = true;
        }
        if (!"t".equals(own.get(2))) {
            long largest = largest(target, schema, sequence, Long.parseLong(text(own, 3)));
            if (largest != Long.MIN_VALUE && largest >= value) {
                value = largest;
                used = true;
            }
        }
        Sql.rows(target, "SELECT setval(?::regclass, ?, ?)", sequence, value, used);
    }

    /** The value of an ascending sequence. */
    public record Used(String name, long last, boolean called) {}

    /** Those of a copy, no lower than what their columns hold. */
    public static List<Used> used(Connection connection, String schema) throws SQLException {
        List<Used> used = new ArrayList<>();
        for (String name : Tables.sequences(connection, schema)) {
            String sequence = Tables.qualified(schema, name);
            List<@Nullable String> own = own(connection, sequence);
            if (!"t".equals(own.get(2))) {
                long last = Long.parseLong(text(own, 0));
                long largest = largest(connection, schema, sequence, Long.MAX_VALUE);
                used.add(new Used(name, Math.max(last, largest), "t".equals(own.get(1)) || largest >= last));
            }
        }
        return used;
    }

    /** Sets a copy's sequences no lower than those of another one, and no lower than what its own columns hold. */
    public static void raise(Connection connection, String schema, List<Used> others) throws SQLException {
        List<String> own = Tables.sequences(connection, schema);
        for (Used other : others) {
            if (own.contains(other.name())) {
                carryOver(connection, schema, Tables.qualified(schema, other.name()), other.last(), other.called());
            }
        }
    }

    /** By the table, the largest value of a column that a sequence numbers; without tables that have no such column, or no row. */
    public static Map<String, Long> largestByTable(Connection connection, String schema) throws SQLException {
        Map<String, Long> largest = new HashMap<>();
        for (String name : Tables.sequences(connection, schema)) {
            String sequence = Tables.qualified(schema, name);
            for (List<@Nullable String> use : Sql.rows(connection, USES, sequence, sequence)) {
                String found = Sql.text(
                        connection,
                        "SELECT max(" + Sql.name(text(use, 1)) + ") FROM " + Tables.qualified(schema, text(use, 0)));
                if (found != null) {
                    largest.merge(text(use, 0), Long.valueOf(found), Math::max);
                }
            }
        }
        return largest;
    }

    private static List<@Nullable String> own(Connection connection, String sequence) throws SQLException {
        return Sql.rows(
                        connection,
                        "SELECT s.last_value, s.is_called, seqincrement < 0, seqmax FROM " + sequence
                                + " s, pg_sequence WHERE seqrelid = ?::regclass",
                        sequence)
                .get(0);
    }

    /** An id of the far future, inserted by hand, must not use up the time of the layout. */
    private static long largest(Connection target, String schema, String sequence, long max) throws SQLException {
        long largest = Long.MIN_VALUE;
        for (List<@Nullable String> use : Sql.rows(target, USES, sequence, sequence)) {
            String bound = "t".equals(use.get(2))
                    ? "sharded_id.encode(sharded_id.timestamp_of(clock_timestamp() + interval '1 hour'), 0, 0)"
                    : Long.toString(max);
            String found = Sql.text(
                    target,
                    "SELECT max(" + Sql.name(text(use, 1)) + ") FROM " + Tables.qualified(schema, text(use, 0))
                            + " WHERE " + Sql.name(text(use, 1)) + " <= " + bound);
            largest = found == null ? largest : Math.max(largest, Long.parseLong(found));
        }
        return largest;
    }

    private static String text(List<@Nullable String> row, int column) {
        return String.valueOf(row.get(column));
    }
}
