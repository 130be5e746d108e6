package io.github.shardedid.generator;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ClusterConfigurationException.Reason;
import io.github.shardedid.generator.Reservation.Commit;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Generates ids in the database, reserved in blocks by {@code next_id_block}: one round trip per block.
 *
 * <p>The size of a block follows the demand of its shard and sequence. It is 1 for an occasional row. If a block was used up within a
 * second, the next one has as many ids as the database has per millisecond (16, if timestamps are seconds), and then sixteen times
 * the previous size, up to {@value #LARGEST_BLOCK} and to what the layout has per second: more would run ahead of the clock. Ids
 * that are older than a second are discarded, because ids sort by time.
 *
 * <p>A reservation may be lost if the server crashes, and its ids generated again. So the remaining ids of a block are used only by a
 * transaction whose connection was open before the reservation, which a crash would have closed, and whose commit waits for the disk
 * even if it writes nothing; or by all transactions if the reservation was committed in autocommit. After a move of any shard, only
 * the latter are used: a connection to the new database says nothing about a crash of the old one.
 *
 * <p>Safe for use by several threads. While a thread reserves a block, other threads that need ids of the same shard and sequence
 * wait for it and use that block, so that ids only grow. It gets its connection before the others wait: no thread waits for a pool
 * while holding the lock.
 */
public final class DatabaseIdSource implements IdSource {
    static final int LARGEST_BLOCK = 1024;

    private static final int GROWTH = 16;
    private static final int ATTEMPTS = 3;
    private static final long LIFETIME_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** SQLSTATE of the functions if the database's clock is before the epoch, or past the end of the layout. */
    private static final String EXHAUSTED = "22003";

    /** By sequence and shard. */
    private final ConcurrentHashMap<String, Map<Integer, IdBlock>> blocks = new ConcurrentHashMap<>();

    private final IdLayout layout;
    private final int largestBlock;
    private final long lifetime;

    /**
     * Creates a source without reserved ids; accesses no database.
     *
     * @param layout the layout of the ids; never null
     */
    public DatabaseIdSource(IdLayout layout) {
        this(layout, largestBlock(layout), LIFETIME_NANOS);
    }

    DatabaseIdSource(IdLayout layout, int largestBlock, long lifetime) {
        this.layout = layout;
        this.largestBlock = largestBlock;
        this.lifetime = lifetime;
    }

    /** A 32-bit layout has only 16 or 32 ids per second. */
    private static int largestBlock(IdLayout layout) {
        long perSecond = 1000L / layout.unit().millis() * layout.databaseSequences();
        return (int) Math.min(LARGEST_BLOCK, perSecond);
    }

    @Override
    public long next(int shard, String sequence, Connection connection) throws SQLException {
        return nextAbove(Reservation.ANY, shard, sequence, connection);
    }

    @Override
    public IdSequence sequence(String name) {
        return (shard, connection) -> next(shard, name, connection);
    }

    /** Generates an id above another one, which may be ahead of the database's clock and of the sequence. */
    long nextAbove(long floor, int shard, String sequence, Connection connection) throws SQLException {
        IdBlock block = blocks.computeIfAbsent(sequence, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(shard, number -> new IdBlock());
        long id = take(block, floor, shard, connection);
        return id != IdBlock.NONE ? id : reserve(block, floor, shard, sequence, connection);
    }

    private long take(IdBlock block, long floor, int shard, Connection connection) throws SQLException {
        return block.take(floor, System.nanoTime(), lifetime, shard, connection.unwrap(RoutingControl.class));
    }

    private long reserve(IdBlock block, long floor, int shard, String sequence, Connection connection)
            throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return reserve(attempt == ATTEMPTS, block, floor, shard, sequence, connection);
            } catch (ShardMovedException e) {
                if (!e.isStatementOnly() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Reserves a block.
     *
     * @param following whether to follow a shard that has moved. Not while other threads wait for the lock: they would wait for the shard
     *     one behind another, and it would need another connection from a pool whose connections they may hold
     */
    private long reserve(
            boolean following, IdBlock block, long floor, int shard, String sequence, Connection connection)
            throws SQLException {
        RoutingControl routed = connection.unwrap(RoutingControl.class);
        try (ShardContext.Scope scope = RoutedScope.open(shard)) {
            // Waits for the shard, and connects before the reservation, so that the transaction may use the rest of the
            // block.
            // The last attempt may follow the shard to another connection, so that it is a part of the transaction.
            boolean claiming = routed.needsClaimant(shard);
            Commit within = claiming ? Commit.CLAIMING : Commit.STORING;
            Commit commit = routed.beginReservation(shard, !following && !claiming) ? Commit.HASTY : within;
            Reservation reservation = new Reservation(layout, sequence, floor, nextSize(block) == 1, commit);
            try (PreparedStatement statement = connection.prepareStatement(reservation.sql())) {
                block.lock().lock();
                try {
                    routed.setFollowing(following);
                    return locked(block, reservation, shard, connection, statement);
                } finally {
                    routed.setFollowing(true);
                    block.lock().unlock();
                }
            }
        } catch (SQLException e) {
            if (EXHAUSTED.equals(e.getSQLState())) {
                throw new ClusterConfigurationException(Reason.EXHAUSTED_EPOCH, String.valueOf(e.getMessage()), e);
            }
            throw e;
        } finally {
            routed.endReservation();
        }
    }

    private long locked(
            IdBlock block, Reservation reservation, int shard, Connection connection, PreparedStatement statement)
            throws SQLException {
        long id = take(block, reservation.floor(), shard, connection);
        if (id != IdBlock.NONE) {
            return id;
        }
        int size = nextSize(block);
        long reservedAt = System.nanoTime();
        return block.refill(reservation.of(shard, size, statement), reservedAt, connection.getAutoCommit());
    }

    private int nextSize(IdBlock block) {
        int demand = block.demand(System.nanoTime(), lifetime);
        return switch (demand) {
            case 0 -> 1;
            case 1 -> Math.min(secondBlock(), largestBlock);
            default -> Math.min(demand * GROWTH, largestBlock);
        };
    }

    /** A block starts a new timestamp: if that is a millisecond, all of its ids cost no more than some. */
    private int secondBlock() {
        return layout.unit() == TimestampUnit.MILLISECONDS ? Math.max(GROWTH, layout.databaseSequences()) : GROWTH;
    }
}
