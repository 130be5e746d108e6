package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
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
final class Sequences {
    private static final String READ = Sql.load(Sequences.class, "sequences.sql");

    private static final String LOCK = Sql.load(Sequences.class, "lock_sequences.sql");

    private Sequences() {}

    /** The value of a sequence: the last one, and whether it was returned, or is the first one to be returned. */
    record Value(long last, boolean called) {
        /** Returns a value that is no lower than one that is taken; null if none is. */
        Value above(@Nullable Long taken) {
            return taken != null && taken >= last ? new Value(taken, true) : this;
        }
    }

    /** A sequence as it is. Of the columns that it numbers, {@code largest} is the largest value; null if no index finds it. */
    record Sequence(
            String name,
            String sql,
            boolean ascending,
            String end,
            String restart,
            Value value,
            @Nullable Long largest) {
        private static Sequence of(ResultSet row) throws SQLException {
            return new Sequence(
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getString(4),
                    row.getString(5),
                    new Value(row.getLong(6), row.getBoolean(7)),
                    row.getObject(8, Long.class));
        }

        private String set(Value to) {
            return "SELECT setval(" + Sql.literal(sql) + ", " + to.last + ", " + to.called + ")";
        }
    }

    /** Statements that wait for transactions that have used the sequences, and block others until the commit. */
    static List<String> lock(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, LOCK, schema);
    }

    /** Those of a schema, by their names. */
    static List<Sequence> read(Connection connection, String schema) throws SQLException {
        List<String> each = Sql.strings(connection, READ, schema);
        return each.isEmpty() ? List.of() : Sql.query(connection, String.join(" UNION ALL ", each), Sequence::of);
    }

    /** Sets the target's sequences no lower than the source's, and no lower than what their columns hold. */
    static void carryOver(MoveContext moving) throws SQLException {
        List<String> remembered = moving.journal().remembered("sequences");
        Map<String, Value> values = new HashMap<>();
        for (int i = 0; i < remembered.size(); i += 3) {
            long last = Long.parseLong(remembered.get(i + 1));
            values.put(remembered.get(i), new Value(last, Boolean.parseBoolean(remembered.get(i + 2))));
        }
        raise(moving.target(), moving.schema(), values);
    }

    /** The values of the ascending ones of a copy, no lower than what their columns hold. */
    static Map<String, Value> used(Connection connection, String schema) throws SQLException {
        Map<String, Value> used = new HashMap<>();
        for (Sequence each : read(connection, schema)) {
            if (each.ascending) {
                used.put(each.name, each.value.above(each.largest));
            }
        }
        return used;
    }

    /** Sets a copy's sequences no lower than those of another one, and no lower than what its own columns hold. */
    static void raise(Connection connection, String schema, Map<String, Value> others) throws SQLException {
        List<String> set = new ArrayList<>();
        for (Sequence own : read(connection, schema)) {
            Value other = others.get(own.name);
            if (other != null) {
                Value raised =
                        other.above(own.value.called ? own.value.last : null).above(own.largest);
                set.add(own.set(own.ascending ? raised : other));
            }
        }
        Sql.execute(connection, set);
    }
}
