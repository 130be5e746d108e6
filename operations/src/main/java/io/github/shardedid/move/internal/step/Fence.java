package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.replication.MoveContext;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.move.internal.step.Sequences.Sequence;
import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks all access to the shard at its source, whatever map the clients have and whatever statements they have prepared.
 *
 * <ol>
 *   <li>The row of the shard becomes FENCING. Applications that listen for it defer their statements a moment later.
 *   <li>In one transaction, with a short lock timeout, all tables and sequences are locked.
 *   <li>A marker is written: it arrives at the target after all other writes.
 *   <li>What undoes the fence is recorded in the journal. Then sequences are ended, writes refused by triggers, privileges revoked, and
 *       the schema is renamed, which also stops server-prepared statements.
 *   <li>If a lock is not had in time, the row becomes MOVING again, and another attempt follows.
 * </ol>
 */
record Fence(MoveContext moving) {
    private static final String LOCK_HOLDERS = Sql.load(Fence.class, "lock_holders.sql");
    private static final String GRANTS = Sql.load(Fence.class, "grants.sql");

    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    private static final String[] FENCEABLE = {StoredShard.MOVING, StoredShard.FENCING, StoredShard.FENCED};
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** By then, applications that listen for changes of the map defer statements that the fence would fail. */
    private static final Duration CLIENT_NOTICE = Duration.ofMillis(40);

    /** The marker that the fence has written last, and when writers first waited. */
    record Taken(UUID marker, long since) {}

    /** Tries again and again, so that others wait for one short try at most. */
    Taken take() throws SQLException {
        Duration timeout = moving.options().fenceTimeout();
        Taken taken = moving.retry(new RetryPolicy(FIRST_PAUSE, LONGEST_PAUSE, timeout), this::tryOnce);
        if (taken == null) {
            List<String> who = Sql.strings(moving.source(), LOCK_HOLDERS, moving.schema());
            throw moving.unfinished("it could not be fenced within " + timeout.toSeconds()
                    + " s, because its tables or sequences are in use by "
                    + (who.isEmpty() ? "one short transaction after the other" : String.join("; ", who)) + ".");
        }
        return taken;
    }

    private @Nullable Taken tryOnce() throws SQLException {
        if (!StoredShard.setState(
                moving.source(), moving.shard(), StoredShard.FENCING, StoredShard.MOVING, StoredShard.FENCING)) {
            throw moving.unfinished("its row in sharded_id.shard of the source says neither MOVING nor FENCING.");
        }
        long since = System.nanoTime();
        moving.sleep(CLIENT_NOTICE);
        try {
            Taken taken = new Taken(Sql.transaction(moving.source(), () -> fence()), since);
            LOG.info("{}: fenced", moving.move());
            return taken;
        } catch (SQLException e) {
            if (!Sql.isLocked(e)) {
                throw e;
            }
            StoredShard.setState(moving.source(), moving.shard(), StoredShard.MOVING, StoredShard.FENCING);
            return null;
        }
    }

    private UUID fence() throws SQLException {
        Connection source = moving.source();
        String schema = moving.schema();
        Duration lockTimeout = moving.options().lockTimeout();
        // Durable: a crash after the switch must not bring the shard back here.
        Sql.execute(source, "SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = " + lockTimeout.toMillis());
        hastenAutovacuum(source, lockTimeout);
        List<String> tables = ShardTables.all(source, schema);
        Sql.execute(source, "LOCK TABLE " + ShardTables.list(schema, tables) + " IN ACCESS EXCLUSIVE MODE");
        Sql.execute(source, Sequences.lock(source, schema));
        if (!ShardTables.all(source, schema).equals(tables)) {
            throw moving.unfinished("tables of the source were made or dropped meanwhile. Abort it and begin again.");
        }
        UUID marker = new Replication(moving).writeMarker();
        List<Sequence> sequences = Sequences.read(source, schema);
        List<List<@Nullable String>> grants = Sql.rows(source, GRANTS, schema);
        List<String> unfence = new ArrayList<>(List.of(rename(moving.fenced(), schema)));
        List<String> fence = ShardTables.refuseWrites(source, schema, true);
        List<String> values = new ArrayList<>();
        for (Sequence each : sequences) {
            fence.add(each.end());
            unfence.add(each.restart());
            values.addAll(
                    List.of(each.name(), each.value().last() + "", each.value().called() + ""));
        }
        grants.forEach(each -> {
            fence.add(String.valueOf(each.get(0)));
            unfence.add(String.valueOf(each.get(1)));
        });
        fence.add(rename(schema, moving.fenced()));
        moving.journal().record("unfence", unfence);
        moving.journal().record("sequences", values);
        Sql.execute(source, fence);
        StoredShard.setState(source, moving.shard(), StoredShard.FENCED, StoredShard.FENCING);
        moving.journal().step(MoveStep.CARRY_OVER);
        return marker;
    }

    private static String rename(String from, String to) {
        return "ALTER SCHEMA " + from + " RENAME TO " + to;
    }

    /** The source serves the shard again; the journal records {@code next}. */
    void remove(String state, MoveStep next) throws SQLException {
        Connection source = moving.source();
        Sql.transaction(source, () -> {
            StoredShard row = StoredShard.read(source, moving.shard());
            if (row != null && row.state().equals(StoredShard.FENCED)) {
                Sql.execute(source, ShardTables.allowWrites(source, moving.fenced()));
                Sql.execute(source, moving.journal().remembered("unfence"));
            }
            StoredShard.setState(source, moving.shard(), state, FENCEABLE);
            moving.journal().step(next);
        });
    }

    /**
     * An autovacuum ends when another session waits for the lock of its table, but not before that session has
     * checked for a deadlock, which is after a second by default. In this transaction it checks earlier, if the role
     * is a superuser: others may not set that.
     *
     * @param lockTimeout how long a lock may be waited for
     */
    static void hastenAutovacuum(Connection connection, Duration lockTimeout) throws SQLException {
        if (Sql.is(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            Sql.execute(connection, "SET LOCAL deadlock_timeout = " + Math.max(1, lockTimeout.toMillis() / 2));
        }
    }
}
