package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The sequences of a shard. A table lock does not block them, nor does another name of the schema block a call that
 * was waiting for the fence. So the fence ends them by bounds that they have reached, until it is removed.
 */
final class Sequences {
    private static final String OWNERS = "SELECT c.relname, pg_get_userbyid(c.relowner) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'S' ORDER BY 1";
    private static final String DEFINITIONS =
            "SELECT sequencename, start_value, min_value, max_value, increment_by > 0, cycle"
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

    /** The bounds of a sequence, as it was created. */
    private record Definition(long start, long min, long max, boolean ascending, boolean cycles) {}

    /** A sequence as it is. */
    private record State(long last, boolean called, boolean ascending, long max) {}

    /** A column that a sequence numbers. */
    private record Use(String table, String column, boolean ids) {}

    /** A sequence before the fence, and the statements that end it and that continue it. */
    record Ended(String name, long last, boolean called, List<String> end, List<String> restart) {}

    /** Statements that wait for transactions that have used the sequences, and block others until the commit. */
    static List<String> lock(Connection connection, String schema) throws SQLException {
        return Sql.query(
                connection,
                OWNERS,
                row -> "ALTER SEQUENCE " + ShardTables.qualified(schema, row.getString(1)) + " OWNER TO "
                        + Sql.name(row.getString(2)),
                schema);
    }

    /** Called in the transaction that has locked them. */
    static List<Ended> read(Connection connection, String schema) throws SQLException {
        Map<String, Definition> definitions = Sql.map(
                connection,
                DEFINITIONS,
                row -> Map.entry(
                        row.getString(1),
                        new Definition(
                                row.getLong(2), row.getLong(3), row.getLong(4), row.getBoolean(5), row.getBoolean(6))),
                schema);
        if (definitions.isEmpty()) {
            return List.of();
        }
        String union = definitions.keySet().stream()
                .map(name -> "SELECT " + Sql.literal(name) + ", last_value, is_called FROM "
                        + ShardTables.qualified(schema, name))
                .collect(Collectors.joining(" UNION ALL "));
        return Sql.query(connection, union, row -> {
            String name = row.getString(1);
            Definition definition = Objects.requireNonNull(definitions.get(name));
            return ended(schema, name, definition, row.getLong(2), row.getBoolean(3));
        });
    }

    private static Ended ended(String schema, String name, Definition of, long last, boolean called) {
        String sequence = ShardTables.qualified(schema, name);
        long bound = of.ascending()
                ? Math.max(Math.max(last, of.start()), of.min() + 1)
                : Math.min(Math.min(last, of.start()), of.max() - 1);
        String set = "SELECT setval(" + Sql.literal(sequence) + ", ";
        String change = "ALTER SEQUENCE " + sequence + (of.ascending() ? " MAXVALUE " : " MINVALUE ");
        return new Ended(
                name,
                last,
                called,
                List.of(change + bound + " NO CYCLE", set + bound + ", true)"),
                List.of(
                        change + (of.ascending() ? of.max() : of.min()) + (of.cycles() ? " CYCLE" : ""),
                        set + last + ", " + called + ")"));
    }

    /** Sets the target's sequences no lower than the source's, and no lower than what their columns hold. */
    static void carryOver(MoveContext moving) throws SQLException {
        List<String> remembered = moving.journal().remembered("sequences");
        List<Used> used = new ArrayList<>();
        for (int i = 0; i < remembered.size(); i += 3) {
            used.add(new Used(
                    remembered.get(i),
                    Long.parseLong(remembered.get(i + 1)),
                    Boolean.parseBoolean(remembered.get(i + 2))));
        }
        raise(moving.target(), moving.names().schema(), used);
    }

    private static void carryOver(Connection target, String schema, String sequence, long last, boolean called)
            throws SQLException {
        State own = state(target, sequence);
        long value = last;
        boolean used = called;
        if (own.ascending()) {
            if (own.called()) {
                value = called ? Math.max(last, own.last()) : own.last();
                used = true;
            }
            long largest = largest(target, schema, sequence, own.max());
            if (largest != Long.MIN_VALUE && largest >= value) {
                value = largest;
                used = true;
            }
        }
        Sql.rows(target, "SELECT setval(?::regclass, ?, ?)", sequence, value, used);
    }

    /** The value of a sequence. */
    record Used(String name, long last, boolean called) {}

    /** Those of a copy, no lower than what their columns hold. */
    static List<Used> used(Connection connection, String schema) throws SQLException {
        List<Used> used = new ArrayList<>();
        for (String name : ShardTables.sequences(connection, schema)) {
            String sequence = ShardTables.qualified(schema, name);
            State own = state(connection, sequence);
            if (own.ascending()) {
                long largest = largest(connection, schema, sequence, Long.MAX_VALUE);
                used.add(new Used(name, Math.max(own.last(), largest), own.called() || largest >= own.last()));
            }
        }
        return used;
    }

    /** Sets a copy's sequences no lower than those of another one, and no lower than what its own columns hold. */
    static void raise(Connection connection, String schema, List<Used> others) throws SQLException {
        List<String> own = ShardTables.sequences(connection, schema);
        for (Used other : others) {
            if (own.contains(other.name())) {
                carryOver(
                        connection, schema, ShardTables.qualified(schema, other.name()), other.last(), other.called());
            }
        }
    }

    private static State state(Connection connection, String sequence) throws SQLException {
        return Sql.query(
                        connection,
                        "SELECT s.last_value, s.is_called, seqincrement > 0, seqmax FROM " + sequence
                                + " s, pg_sequence WHERE seqrelid = ?::regclass",
                        row -> new State(row.getLong(1), row.getBoolean(2), row.getBoolean(3), row.getLong(4)),
                        sequence)
                .get(0);
    }

    private static List<Use> uses(Connection connection, String sequence) throws SQLException {
        return Sql.query(
                connection,
                USES,
                row -> new Use(row.getString(1), row.getString(2), row.getBoolean(3)),
                sequence,
                sequence);
    }

    private static String largestOf(String schema, Use use) {
        return "SELECT max(" + Sql.name(use.column()) + ") FROM " + ShardTables.qualified(schema, use.table());
    }

    /** An id of the far future, inserted by hand, must not use up the time of the layout. */
    private static long largest(Connection target, String schema, String sequence, long max) throws SQLException {
        long largest = Long.MIN_VALUE;
        for (Use use : uses(target, sequence)) {
            String bound = use.ids()
                    ? "sharded_id.encode(sharded_id.timestamp_of(clock_timestamp() + interval '1 hour'), 0, 0)"
                    : Long.toString(max);
            String found =
                    Sql.text(target, largestOf(schema, use) + " WHERE " + Sql.name(use.column()) + " <= " + bound);
            largest = found == null ? largest : Math.max(largest, Long.parseLong(found));
        }
        return largest;
    }
}
