package io.github.shardedid.generator;

import io.github.shardedid.id.EpochExhaustedException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMovedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Ids made by the database, reserved in blocks by {@code next_id_block}: one turn for a block.
 *
 * <p>The size of a block follows the demand of its shard and sequence: 1 for a single row now and then; if that was used up
 * within a second, as many as the database has of a millisecond (16, if its timestamps are seconds); and then sixteen times the last
 * block, up to {@value #LARGEST_BLOCK} and to what the layout has for a second, lest the ids run ahead of the clock. Ids left over
 * for longer than a second are thrown away, because a row must not get an id that is much older than the row: ids sort by time.
 *
 * <p>Ids left over are used only where a crash of the server that forgot their reservation would be noticed: by a transaction
 * whose connection was open before they were reserved, or by anybody if they were reserved in autocommit. After a move of any
 * shard, only the latter are: a connection to the new home knows nothing of a crash of the old one.
 *
 * <p>Safe for use by several threads. A thread that must ask the database holds up others that need ids of the same
 * shard and sequence, which then use its block, so that ids only grow. It has its connection before it holds them up:
 * nobody waits for a pool while others wait for it.
 */
public final class DatabaseIdSource implements IdSource {
    static final int LARGEST_BLOCK = 1024;

    private static final int GROWTH = 16;
    private static final long LIFETIME_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How the functions say that the time of the layout has run out, or has not begun. */
    private static final String EXHAUSTED = "22003";

    private final ConcurrentHashMap<Place, IdBlock> blocks = new ConcurrentHashMap<>();
    private final IdLayout layout;
    private final int largestBlock;
    private final long lifetime;

    /**
     * Creates a source without any block.
     *
     * @param layout the layout of the ids
     */
    public DatabaseIdSource(IdLayout layout) {
        this(layout, largestBlock(layout), LIFETIME_NANOS);
    }

    DatabaseIdSource(IdLayout layout, int largestBlock, long lifetime) {
        this.layout = layout;
        this.largestBlock = largestBlock;
        this.lifetime = lifetime;
    }

    /** In a layout of 32 bits a second has 16 or 32 ids only. */
    private static int largestBlock(IdLayout layout) {
        long perSecond = 1000L / layout.unit().millis() * layout.databaseSequences();
        return (int) Math.min(LARGEST_BLOCK, perSecond);
    }

    @Override
    public long next(int shard, String sequence, Connection connection) throws SQLException {
        return nextAbove(Reservation.ANY, shard, sequence, connection);
    }

    /** Makes an id above another one, which may be ahead of the database's clock and of the sequence. */
    long nextAbove(long floor, int shard, String sequence, Connection connection) throws SQLException {
        IdBlock block = blocks.computeIfAbsent(new Place(shard, sequence), place -> new IdBlock());
        long id = take(block, floor, shard, connection);
        return id != IdBlock.NONE ? id : reserve(block, floor, shard, sequence, connection);
    }

    private long take(IdBlock block, long floor, int shard, Connection connection) throws SQLException {
        RoutedConnection routed = connection.unwrap(RoutedConnection.class);
        return block.take(floor, System.nanoTime(), lifetime, since -> routed.isOpenSince(shard, since));
    }

    private long reserve(IdBlock block, long floor, int shard, String sequence, Connection connection)
            throws SQLException {
        try {
            return reserve(false, block, floor, shard, sequence, connection);
        } catch (ShardMovedException e) {
            if (!e.isStatementOnly()) {
                throw e;
            }
            return reserve(true, block, floor, shard, sequence, connection);
        }
    }

    /**
     * Whoever holds up others does not go after a shard that has moved: for that it would need a connection from the very pool
     * whose connections those may have who wait.
     */
    private long reserve(
            boolean following, IdBlock block, long floor, int shard, String sequence, Connection connection)
            throws SQLException {
        RoutedConnection routed = connection.unwrap(RoutedConnection.class);
        Reservation reservation = new Reservation(layout, sequence, floor, nextSize(block) == 1);
        try (ShardContext.Scope scope = ShardContext.open(shard);
                PreparedStatement statement = connection.prepareStatement(reservation.sql())) {
            routed.isOpenSince(shard, System.nanoTime()); // has it opened, so that it may use what will be left over
            block.lock().lock();
            try {
                routed.setFollowing(following);
                return locked(block, reservation, shard, connection, statement);
            } finally {
                routed.setFollowing(true);
                block.lock().unlock();
            }
        } catch (SQLException e) {
            if (EXHAUSTED.equals(e.getSQLState())) {
                throw new EpochExhaustedException(String.valueOf(e.getMessage()), e);
            }
            throw e;
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

    /** A block begins a new timestamp, of which nobody else has an id: all of them cost no more than some, if it is a short one. */
    private int secondBlock() {
        return layout.unit() == TimestampUnit.MILLISECONDS ? Math.max(GROWTH, layout.databaseSequences()) : GROWTH;
    }

    /** Adds to each shard how many ids were handed out. */
    void addTo(long[] made) {
        blocks.forEach((place, block) -> made[place.shard] += block.taken());
    }

    private record Place(int shard, String sequence) {}
}
