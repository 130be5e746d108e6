package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sequences outside of the schemas of the shards. A client may have generated ids from one by calling {@code next_id} of a shard
 * with it, although each table should have its sequence beside it.
 */
final class OutsideSequences {
    /** How far a sequence may be beyond the last id generated from it; see functions.sql. */
    private static final int BURNT = 1 << 18;

    private static final String SEQUENCES = "SELECT c.oid FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND c.relpersistence <> 't'"
            + " AND NOT EXISTS (SELECT FROM sharded_id.shard s"
            + " WHERE n.nspname = 'shard_' || lpad(s.shard::text, greatest(4, length(s.shard::text)), '0'))"
            + " AND (has_sequence_privilege(c.oid, 'USAGE') OR has_sequence_privilege(c.oid, 'SELECT'))";

    private OutsideSequences() {}

    /** By shard, the first timestamp after those of ids that were generated from such a sequence. */
    static Map<Integer, Long> ends(Connection connection, IdLayout layout) throws SQLException {
        int low = layout.shardBits() + layout.sequenceBits();
        Map<Integer, Long> ends = new HashMap<>();
        for (long value : values(connection)) {
            if (layout.isId(value)) {
                long first = Math.max(0, value - BURNT) >> layout.sequenceBits();
                for (long window = value >> layout.sequenceBits(); window >= first; window--) {
                    ends.merge(layout.shardOf(window << layout.sequenceBits()), (value >> low) + 1, Math::max);
                }
            }
        }
        return ends;
    }

    /** One by one: a sequence stays locked to the end of the transaction, and there may be more than the server has locks. */
    private static List<Long> values(Connection connection) throws SQLException {
        List<Long> values = new ArrayList<>();
        try (Statement sequences = connection.createStatement();
                ResultSet sequence = sequences.executeQuery(SEQUENCES);
                PreparedStatement last =
                        connection.prepareStatement("SELECT pg_sequence_last_value(cast(? AS oid)::regclass)")) {
            while (sequence.next()) {
                last.setLong(1, sequence.getLong(1));
                try (ResultSet value = last.executeQuery()) {
                    value.next();
                    long used = value.getLong(1);
                    if (!value.wasNull()) {
                        values.add(used);
                    }
                }
            }
        }
        return values;
    }
}
