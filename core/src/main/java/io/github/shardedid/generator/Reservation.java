package io.github.shardedid.generator;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.ShardSchema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A statement that reserves ids of a shard's sequence. It names the shard's schema: one that does not would need the search path to
 * be set, a turn more.
 *
 * @param floor what the ids have to be above, or {@link #ANY}
 * @param single whether one id will do, which is cheaper than a set of one
 */
record Reservation(long floor, boolean single) {
    static final long ANY = -1;

    /** The transaction id makes the commit in autocommit wait for the disk, even if nothing had to be logged for the ids. */
    private static final String DURABLY = ", pg_current_xact_id()";

    private static final String SCHEMA = RoutingDataSource.SCHEMA_PLACEHOLDER;
    private static final String OF_ONE = "SELECT " + SCHEMA + ".next_id(cast(? AS regclass))" + DURABLY;
    private static final String ALL = "SELECT array_agg(id ORDER BY id)" + DURABLY + " FROM " + SCHEMA;
    private static final String OF_SOME = ALL + ".next_ids(cast(? AS regclass), ?) AS id";
    private static final String ABOVE = ALL + ".next_ids_after(cast(? AS regclass), ?, ?) AS id";

    String sql() {
        return floor != ANY ? ABOVE : single ? OF_ONE : OF_SOME;
    }

    /**
     * Executes it; the ids are in ascending order.
     *
     * @param size how many, if it is not of a single one
     */
    Long[] of(int shard, String sequence, int size, PreparedStatement statement) throws SQLException {
        statement.setString(1, ShardSchema.nameOf(shard) + "." + sequence);
        boolean one = single && floor == ANY;
        if (!one) {
            statement.setInt(2, size);
        }
        if (floor != ANY) {
            statement.setLong(3, floor);
        }
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return one ? new Long[] {row.getLong(1)} : (Long[]) row.getArray(1).getArray();
        }
    }
}
