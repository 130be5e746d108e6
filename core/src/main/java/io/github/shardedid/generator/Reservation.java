package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntToLongFunction;

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

    private static final String SCHEMA = RoutingControl.generated(RoutingDataSource.SCHEMA_PLACEHOLDER);

    String sql() {
        String ofShard = "'" + SCHEMA + "." + sequence.replace("'", "''") + "'";
        if (isBlock()) {
            return "SELECT sharded_id.next_id_block(" + ofShard + ", ?, ?)" + commit.how;
        }
        return isOne()
                ? "SELECT " + SCHEMA + ".next_id(" + ofShard + ")" + commit.how
                : "SELECT array_agg(id ORDER BY id)" + commit.how + " FROM " + SCHEMA + ".next_ids_after(" + ofShard
                        + ", ?, ?) AS id";
    }

    private boolean isOne() {
        return floor == ANY && single;
    }

    /** A block starts a new timestamp: if timestamps are seconds, the free ids of the current one are used first. */
    private boolean isBlock() {
        return floor == ANY && !single && layout.unit() == TimestampUnit.MILLISECONDS;
    }

    /** What commits a reservation: a crash forgets it unless a commit has waited for the disk. */
    enum Commit {
        /** Its own, or that of the transaction which it is a part of. It waits for a message if the ids needed no log record. */
        STORING(", pg_catalog.pg_logical_emit_message(true, 'sharded-id', '')"),
        /** Its own, which does not wait, since that of a row over the same connection does. */
        HASTY(", pg_catalog.set_config('synchronous_commit', 'off', true)"),
        /** That of the transaction, whose rows claim values: the reservation says by what these claims name it. */
        CLAIMING(STORING.how + ", " + RoutingControl.CLAIMANT);

        private final String how;

        Commit(String how) {
            this.how = how;
        }
    }

    /**
     * Executes the statement; the ids are in ascending order.
     *
     * @param size how many ids, unless the reservation is of a single one; a block has at least two
     */
    ReservedIds of(int shard, int size, PreparedStatement statement) throws SQLException {
        int count = isBlock() ? Math.max(size, SMALLEST_BLOCK) : size;
        if (isBlock()) {
            statement.setInt(1, shard);
            statement.setInt(2, count);
        } else if (!isOne()) {
            statement.setInt(1, count);
            statement.setLong(2, floor);
        }
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            if (commit == Commit.CLAIMING) {
                List<String> claimant = List.of((String[]) row.getArray(3).getArray());
                statement.getConnection().unwrap(RoutingControl.class).setClaimant(shard, claimant);
            }
            if (isOne()) {
                long id = row.getLong(1);
                return new ReservedIds(1, index -> id);
            }
            Long[] numbers = (Long[]) row.getArray(1).getArray();
            if (!isBlock()) {
                return new ReservedIds(numbers.length, index -> numbers[index]);
            }
            long first = numbers[0];
            long perTimestamp = numbers[1];
            int lowBits = layout.shardBits() + layout.sequenceBits();
            return new ReservedIds(count, IdBlock.computed(first, perTimestamp, lowBits));
        }
    }

    /**
     * Ids in ascending order that were reserved by one statement.
     *
     * @param ids the id at an index, from 0
     */
    record ReservedIds(int size, IntToLongFunction ids) {
        long get(int index) {
            return ids.applyAsLong(index);
        }
    }
}
