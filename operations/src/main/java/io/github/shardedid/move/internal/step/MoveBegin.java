package io.github.shardedid.move.internal.step;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.TableReplication;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/** Checks whether a shard can be moved, and begins the move by recording it in the journal. */
public record MoveBegin(
        ClusterDefinition definition,
        Map<String, DataSource> databases,
        ShardMigrations migrations,
        MoveOptions options) {
    private static final RetryPolicy MAINTENANCE = RetryPolicy.every(Duration.ofMillis(50), Duration.ofSeconds(30));

    private static final String ENTER = Sql.load(MoveBegin.class, "enter_move.sql");
    private static final String UNCHANGED = "Nothing was changed.";

    /** Returns what prevents a move. Changes nothing. */
    public List<String> obstacles(HeldConnections held, int shard, String target) throws SQLException {
        return obstacles(held, shard, prepare(held, shard, target), target, false);
    }

    /**
     * Checks a move, and records it in the journal.
     *
     * <ol>
     *   <li>The database that owns the shard is found, and the shard is locked there and at the target.
     *   <li>Migrations and provisioning of both databases are locked out, so that what is checked next stays true.
     *   <li>The obstacles are checked.
     *   <li>One commit at the source makes the shard MOVING and writes the journal. From then on the move exists.
     * </ol>
     */
    public Move begin(HeldConnections held, int shard, String target, boolean offline) {
        String title = "Shard " + shard + " is not moved to " + target;
        try {
            String source = prepare(held, shard, target);
            TreeMap<String, Connection> both =
                    new TreeMap<>(Map.of(source, held.held(source), target, held.held(target)));
            try (SessionLock first = lock(both.firstKey(), both.firstEntry().getValue());
                    SessionLock second = lock(both.lastKey(), both.lastEntry().getValue())) {
                List<String> obstacles = obstacles(held, shard, source, target, offline);
                if (!obstacles.isEmpty()) {
                    throw new MoveRefusedException(String.join(" ", obstacles));
                }
                return enter(held.held(source), shard, source, target, offline);
            }
        } catch (ShardedIdException | SQLException e) {
            if (e instanceof MoveRefusedException refused && refused.reason() == Reason.UNKNOWN_SCRIPTS) {
                throw refused;
            }
            String message = e instanceof SQLException ? FailureReason.of(e) + "." : String.valueOf(e.getMessage());
            if (passes(e)) {
                throw new MoveRefusedException(Reason.DEFERRED, title + " yet: " + message);
            }
            throw new MoveRefusedException(
                    title + ": " + message + (message.endsWith(UNCHANGED) ? "" : " " + UNCHANGED));
        }
    }

    /** Locks the shard in both databases, and returns the one that owns it. */
    private String prepare(HeldConnections held, int shard, String target) throws SQLException {
        String source = new DatabaseShardMapSource(definition, databases).load().databaseOf(shard);
        if (!databases.containsKey(target) || source.equals(target)) {
            throw new MoveRefusedException("Shard " + shard + " is in database " + source
                    + " and can be moved to another one of " + databases.keySet() + " only, not to " + target + ".");
        }
        provisioner(source, target).check();
        held.lock(source);
        held.lock(target);
        return source;
    }

    private List<String> obstacles(HeldConnections held, int shard, String source, String target, boolean offline)
            throws SQLException {
        MoveCheck check = new MoveCheck(shard, source, held.held(source), target, held.held(target), offline);
        List<String> obstacles = check.always();
        if (obstacles.isEmpty()) {
            if (!TableReplication.isFed(target, held.held(target), databases)) {
                throw new MoveRefusedException(
                        Reason.DEFERRED,
                        "The copies of replicated tables in database " + target
                                + " get no changes: none of the configured databases"
                                + " that can be reached has a replication slot for it. Start an instance, which repairs"
                                + " them, or says why it cannot. " + UNCHANGED);
            }
            String missing = MoveCheck.missingScripts(migrations, shard, source, held.held(source));
            if (missing != null) {
                throw new MoveRefusedException(Reason.DEFERRED, missing + " " + UNCHANGED);
            }
            return check.roles(held.data(source), options);
        }
        return obstacles;
    }

    /** An application that is being deployed, and a connection that is lost, are reasons that pass. */
    private static boolean passes(Exception e) {
        return (e instanceof MoveRefusedException refused && refused.isDeferred())
                || (e instanceof ProvisioningException p && p.reason() == ProvisioningException.Reason.UNPROVISIONED)
                || FailureReason.isInterruption(e);
    }

    /** For the two databases alone: mistakes elsewhere do not matter. */
    private Provisioner provisioner(String source, String target) {
        Map<String, DataSource> two = new TreeMap<>(databases);
        two.keySet().retainAll(List.of(source, target));
        Map<String, ShardRanges> ranges = new TreeMap<>(definition.initialShards());
        ranges.keySet().retainAll(two.keySet());
        return new Provisioner(
                new ClusterDefinition(definition.layout(), definition.shardCount(), ranges), two, migrations);
    }

    /** The move exists from this commit on. */
    private static Move enter(Connection connection, int shard, String source, String target, boolean offline)
            throws SQLException {
        UUID id = UUID.randomUUID();
        Sql.transaction(connection, () -> {
            StoredShard row = StoredShard.read(connection, shard);
            if (row == null || !StoredShard.setState(connection, shard, StoredShard.MOVING, StoredShard.ACTIVE)) {
                throw new MoveRefusedException("Shard " + shard + " is no longer ACTIVE in " + source + ".");
            }
            Sql.update(connection, ENTER, id, shard, source, target, row.generation(), offline);
        });
        return new MoveJournal(connection, id).read();
    }

    private static SessionLock lock(String name, Connection connection) throws SQLException {
        try {
            SessionLock lock = MAINTENANCE.run(() -> SessionLock.tryTake(connection, SessionLock.DATABASE));
            if (lock == null) {
                String holder = SessionLock.holder(connection, SessionLock.DATABASE);
                throw new MoveRefusedException(
                        Reason.DEFERRED,
                        "Migrations or provisioning are at work in database " + name
                                + (holder == null ? "" : " (" + holder + ")")
                                + ". Move the shard when they have ended; nothing was changed.");
            }
            return lock;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MoveRefusedException("Interrupted before anything was changed.");
        }
    }
}
