package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.ShardSchema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * A statement that reserves ids of a shard's sequence. It names the shard's schema: one that does not would need the search path to
 * be set, a turn more.
 *
 * @param floor what the ids have to be above, or {@link #ANY}
 * @param single whether one id will do, which is cheaper than a set of one
 */
record Reservation(IdLayout layout, String sequence, long floor, boolean single) {
    static final long ANY = -1;

    /** Whoever has waited for others may find that a single one would do by now. */
    private static final int SMALLEST_BLOCK = 2;

    /** The transaction id makes the commit in autocommit wait for the disk, even if nothing had to be logged for the ids. */
    private static final String DURABLY = ", pg_catalog.pg_current_xact_id()";

    private static final String SCHEMA = RoutingDataSource.SCHEMA_PLACEHOLDER;
    private static final String OF_ONE = "SELECT " + SCHEMA + ".next_id(cast(? AS regclass))" + DURABLY;
    private static final String ALL = "SELECT array_agg(id ORDER BY id)" + DURABLY + " FROM " + SCHEMA;
    private static final String OF_SOME = ALL + ".next_ids(cast(? AS regclass), ?) AS id";
    private static final String ABOVE = ALL + ".next_ids_after(cast(? AS regclass), ?, ?) AS id";

    String sql() {
        return switch (kind()) {
            case ONE -> OF_ONE;
            case SOME -> OF_SOME;
            case ABOVE -> ABOVE;
            case BLOCK ->
                "SELECT sharded_id.next_id_block('" + SCHEMA + "." + sequence.replace("'", "''") + "', ?, ?)" + DURABLY;
        };
    }

    private enum Kind {
        ONE,
        BLOCK,
        SOME,
        ABOVE
    }

    /** A block begins a new timestamp: where that is a long time, the room in the present one is used first. */
    private Kind kind() {
        if (floor != ANY) {
            return Kind.ABOVE;
        } else if (single) {
            return Kind.ONE;
        }
        return layout.unit() == TimestampUnit.MILLISECONDS ? Kind.BLOCK : Kind.SOME;
    }

    /**
     * Executes it; the ids are in ascending order.
     *
     * @param size how many, if it is not of a single one; a block has two at least
     */
    ReservedIds of(int shard, int size, PreparedStatement statement) throws SQLException {
        return kind() == Kind.BLOCK
                ? block(shard, Math.max(size, SMALLEST_BLOCK), statement)
                : ids(shard, size, statement);
    }

    private ReservedIds ids(int shard, int size, PreparedStatement statement) throws SQLException {
        Kind kind = kind();
        statement.setString(1, ShardSchema.nameOf(shard) + "." + sequence);
        if (kind != Kind.ONE) {
            statement.setInt(2, size);
        }
        if (kind == Kind.ABOVE) {
            statement.setLong(3, floor);
        }
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return kind == Kind.ONE
                    ? ReservedIds.listed(row.getLong(1))
                    : ReservedIds.listed(Arrays.stream(numbers(row))
                            .mapToLong(Long::longValue)
                            .toArray());
        }
    }

    private ReservedIds block(int shard, int size, PreparedStatement statement) throws SQLException {
        statement.setInt(1, shard);
        statement.setInt(2, size);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            Long[] firstAndPerTimestamp = numbers(row);
            return new ReservedIds.Block(
                    firstAndPerTimestamp[0], firstAndPerTimestamp[1], layout.shardBits() + layout.sequenceBits(), size);
        }
    }

    private static Long[] numbers(ResultSet row) throws SQLException {
        return (Long[]) row.getArray(1).getArray();
    }
}
