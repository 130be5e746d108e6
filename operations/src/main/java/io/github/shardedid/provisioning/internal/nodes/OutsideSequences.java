package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sequences outside of the schemas of the shards. A client may have generated ids from one, by passing it to {@code next_id} of a
 * shard.
 */
final class OutsideSequences {
    /** The highest number of values that a sequence may have skipped since its last id; see functions.sql. */
    private static final int BURNT = 1 << 18;

    /** Without the secret of the locks, a random number that makes no ids; see meta.sql. */
    private static final String SEQUENCES = "SELECT c.oid FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND c.relpersistence <> 't'"
            + " AND c.oid <> 'sharded_id.lock_secret'::regclass AND NOT EXISTS (SELECT FROM sharded_id.shard s"
            + " WHERE n.nspname = 'shard_' || lpad(s.shard::text, greatest(4, length(s.shard::text)), '0'))"
            + " AND (has_sequence_privilege(c.oid, 'USAGE') OR has_sequence_privilege(c.oid, 'SELECT'))";

    private OutsideSequences() {}

    /** By shard, the first timestamp after those of all ids from such a sequence. */
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

    /** Each in its own transaction, which locks the sequence until its end: there may be more sequences than the server has locks. */
    private static List<Long> values(Connection connection) throws SQLException {
        List<Long> values = new ArrayList<>();
        for (String sequence : Sql.strings(connection, SEQUENCES)) {
            String value = Sql.text(connection, "SELECT pg_sequence_last_value(cast(? AS oid)::regclass)", sequence);
            if (value != null) {
                values.add(Long.valueOf(value));
            }
        }
        return values;
    }
}
