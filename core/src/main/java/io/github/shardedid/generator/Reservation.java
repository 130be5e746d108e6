package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.internal.RoutedConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * A statement that reserves ids of a shard's sequence. It names the shard's schema: setting the search path would need another round
 * trip.
 *
 * @param floor the ids are above this one; or {@link #ANY}
 * @param single whether one id is enough, which is cheaper than a set of one
 * @param commit what commits it
 */
record Reservation(IdLayout layout, String sequence, long floor, boolean single, Commit commit) {
    static final long ANY = -1;

    /** The demand may have fallen to a single id while the thread waited for the lock. */
    private static final int SMALLEST_BLOCK = 2;

    private static final String SCHEMA = RoutedConnection.generated(RoutingDataSource.SCHEMA_PLACEHOLDER);

    private static final String ALL = "SELECT array_agg(id ORDER BY id)";

    String sql() {
        String committed = commit.how;
        String ofShard = "'" + SCHEMA + "." + sequence.replace("'", "''") + "'";
        return switch (kind()) {
            case ONE -> "SELECT " + SCHEMA + ".next_id(" + ofShard + ")" + committed;
            case SOME -> ALL + committed + " FROM " + SCHEMA + ".next_ids(" + ofShard + ", ?) AS id";
            case ABOVE -> ALL + committed + " FROM " + SCHEMA + ".next_ids_after(" + ofShard + ", ?, ?) AS id";
            case BLOCK -> "SELECT sharded_id.next_id_block(" + ofShard + ", ?, ?)" + committed;
        };
    }

    /** What commits a reservation: a crash forgets it unless a commit has waited for the disk. */
    enum Commit {
        /** Its own, or that of the transaction which it is a part of. It waits for a message if the ids needed no log record. */
        STORING(", pg_catalog.pg_logical_emit_message(true, 'sharded-id', '')"),
        /** Its own, which does not wait, since that of a row over the same connection does. */
        HASTY(", pg_catalog.set_config('synchronous_commit', 'off', true)");

        private final String how;

        Commit(String how) {
            this.how = how;
        }
    }

    private enum Kind {
        ONE,
        BLOCK,
        SOME,
        ABOVE
    }

    /** A block starts a new timestamp: if timestamps are seconds, the free ids of the current one are used first. */
    private Kind kind() {
        if (floor != ANY) {
            return Kind.ABOVE;
        } else if (single) {
            return Kind.ONE;
        }
        return layout.unit() == TimestampUnit.MILLISECONDS ? Kind.BLOCK : Kind.SOME;
    }

    /**
     * Executes the statement; the ids are in ascending order.
     *
     * @param size how many ids, unless the reservation is of a single one; a block has at least two
     */
    ReservedIds of(int shard, int size, PreparedStatement statement) throws SQLException {
        return kind() == Kind.BLOCK ? block(shard, Math.max(size, SMALLEST_BLOCK), statement) : ids(size, statement);
    }

    private ReservedIds ids(int size, PreparedStatement statement) throws SQLException {
        Kind kind = kind();
        if (kind != Kind.ONE) {
            statement.setInt(1, size);
        }
        if (kind == Kind.ABOVE) {
            statement.setLong(2, floor);
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

    /** Ids in ascending order that were reserved by one statement. */
    interface ReservedIds {
        ReservedIds NONE = listed();

        int size();

        /** The id at an index, from 0. */
        long get(int index);

        static ReservedIds listed(long... ids) {
            return new Listed(ids);
        }

        /** Ids that the database returned one by one. */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Listed(long[] ids) implements ReservedIds {
            @Override
            public int size() {
                return ids.length;
            }

            @Override
            public long get(int index) {
                return ids[index];
            }
        }

        /**
         * All ids of consecutive timestamps, except that the last one may be incomplete. Its size in memory does not depend on the number
         * of ids; there is one block for each shard and table.
         *
         * @param perTimestamp how many ids each timestamp has
         * @param lowBits how many bits an id has below its timestamp
         */
        record Block(long first, long perTimestamp, int lowBits, int size) implements ReservedIds {
            @Override
            public long get(int index) {
                return first + ((index / perTimestamp) << lowBits) + index % perTimestamp;
            }
        }
    }
}
