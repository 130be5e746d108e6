package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The point of no return: one commit by which the target owns the shard.
 *
 * <ol>
 *   <li>The subscription is disabled, so that nothing is written to the copy any more.
 *   <li>In one transaction of the target, writes are allowed, the leases are stamped, and the row of the shard becomes ACTIVE in the next
 *       generation. Its commit is synchronous: it makes all that replication has written before durable too.
 * </ol>
 *
 * <p>Whether it has happened is read from the target alone, so a process that dies in between can be resumed.
 */
public record Cutover(MoveContext moving) {
    private static final Logger LOG = LoggerFactory.getLogger(Cutover.class);
    private static final String STAMP_LEASES = Sql.load(Cutover.class, "stamp_leases.sql");
    private static final String LEASES_COMPLETE = Sql.load(Cutover.class, "leases_complete.sql");
    private static final String TAKE = Sql.load(Cutover.class, "take_shard.sql");

    /** Returns whether the target has taken the shard over. */
    public boolean isTaken() throws SQLException {
        StoredShard row = StoredShard.read(moving.target(), moving.shard());
        return row != null
                && row.generation() > moving.move().generation()
                && !row.state().equals(StoredShard.RECEIVING);
    }

    void perform() throws SQLException {
        Connection target = moving.target();
        String schema = moving.schema();
        String migrations = Objects.requireNonNull(StoredShard.read(moving.source(), moving.shard()))
                .migrations();
        boolean complete = areLeasesComplete();
        if (!moving.move().offline()) {
            Sql.execute(target, "ALTER SUBSCRIPTION " + moving.object() + " DISABLE");
        }
        Sql.transaction(target, () -> {
            // With this commit, all that replication has written before is durable.
            Sql.execute(target, "SET LOCAL synchronous_commit = on");
            Fence.hastenAutovacuum(target, moving.options().lockTimeout()); // new rows are vacuumed just now
            Sql.execute(target, ShardTables.allowWrites(target, schema));
            Sql.update(target, STAMP_LEASES.formatted(schema), complete);
            if (Sql.update(target, TAKE, moving.move().generation() + 1, migrations, moving.shard()) != 1) {
                throw moving.unfinished("the target's row in sharded_id.shard does not say RECEIVING.");
            }
        });
        LOG.info("{}: the target owns it", moving.move());
    }

    /**
     * The target may grant leases at once, since it has all those that the source has granted; but not if the source
     * itself may have missed some.
     */
    private boolean areLeasesComplete() throws SQLException {
        return Sql.is(moving.source(), LEASES_COMPLETE.formatted(moving.fenced()));
    }
}
