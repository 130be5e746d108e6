package io.github.shardedid.move.internal.begin;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.UnknownScriptsException;
import io.github.shardedid.move.internal.journal.HeldConnections;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.provisioning.UnprovisionedException;
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
public final class MoveBegin {
    private static final RetryPolicy MAINTENANCE = RetryPolicy.every(Duration.ofMillis(50), Duration.ofSeconds(30));

    private final ClusterDefinition definition;
    private final Map<String, DataSource> databases;
    private final ShardMigrations migrations;
    private final MoveOptions options;

    public MoveBegin(
            ClusterDefinition definition,
            Map<String, DataSource> databases,
            ShardMigrations migrations,
            MoveOptions options) {
        this.definition = definition;
        this.databases = databases;
        this.migrations = migrations;
        this.options = options;
    }

    /**
     * What prevents a move. Changes nothing.
     *
     * @throws DeferredMoveException if it may be possible later, without a change
     */
    public List<String> obstacles(HeldConnections held, int shard, String target) throws SQLException {
        return inspect(held, shard, target, false, true).obstacles;
    }

    /** What prevents a move of a shard from the database that owns it, which may not be known if something does. */
    private record Inspected(String source, List<String> obstacles) {}

    /** {@code guesses}: also what a move knows better, since it runs the migrations at the target. */
    private Inspected inspect(HeldConnections held, int shard, String target, boolean offline, boolean guesses)
            throws SQLException {
        String source = "";
        try {
            source = new DatabaseShardMapSource(definition, databases).load().databaseOf(shard);
            if (!databases.containsKey(target) || source.equals(target)) {
                return new Inspected(
                        source,
                        List.of("Shard " + shard + " is in database " + source + " and can be moved to another one of "
                                + databases.keySet() + " only, not to " + target + "."));
            }
            provisioner(source, target).check();
            Connection from = held.lock(source);
            Connection to = held.lock(target);
            MoveCheck check = new MoveCheck(shard, source, from, target, to);
            List<String> obstacles = check.always();
            if (obstacles.isEmpty()) {
                if (guesses) {
                    check.structure();
                }
                // After it, since a shard that is migrated meanwhile differs from others for that reason alone.
                String missing = ShardScripts.missing(migrations, shard, source, from);
                if (missing != null) {
                    throw new DeferredMoveException(missing + " Nothing was changed.");
                }
                check.rights();
                if (!offline) {
                    check.replication(held.data(source), options);
                }
            }
            return new Inspected(source, obstacles);
        } catch (DeferredMoveException e) {
            throw e;
        } catch (UnprovisionedException e) { // as while an application is deployed
            throw new DeferredMoveException(String.valueOf(e.getMessage()));
        } catch (ShardedIdException e) {
            if (Interruption.is(e)) {
                throw new DeferredMoveException(e.getMessage() + " Nothing was changed.");
            }
            return new Inspected(source, List.of(String.valueOf(e.getMessage())));
        }
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

    public Move begin(HeldConnections held, int shard, String target, boolean offline) throws SQLException {
        Inspected now;
        try {
            now = inspect(held, shard, target, offline, false);
        } catch (UnknownScriptsException e) {
            throw e;
        } catch (DeferredMoveException e) {
            throw new DeferredMoveException(
                    "Shard " + shard + " is not moved to " + target + " yet: " + e.getMessage());
        }
        if (!now.obstacles.isEmpty()) {
            throw new MoveRefusedException("Shard " + shard + " is not moved to " + target + ": "
                    + String.join(" ", now.obstacles) + " Nothing was changed.");
        }
        String source = now.source;
        TreeMap<String, Connection> both = new TreeMap<>(Map.of(source, held.held(source), target, held.held(target)));
        try (SessionLock first = lock(both.firstKey(), both.firstEntry().getValue());
                SessionLock second = lock(both.lastKey(), both.lastEntry().getValue())) {
            // Again: migrations may have ended just now.
            List<String> meanwhile =
                    new MoveCheck(shard, source, held.held(source), target, held.held(target)).always();
            if (!meanwhile.isEmpty()) {
                throw new MoveRefusedException(String.join(" ", meanwhile) + " Nothing was changed.");
            }
            return enter(held.held(source), shard, source, target, offline);
        }
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
            Journal.begin(connection, id, shard, source, target, row.generation(), offline);
        });
        return new Journal(connection, id).read();
    }

    private static SessionLock lock(String name, Connection connection) throws SQLException {
        try {
            SessionLock lock = MAINTENANCE.run(() -> SessionLock.tryOnDatabase(connection));
            if (lock == null) {
                String holder = SessionLock.holderOnDatabase(connection);
                throw new DeferredMoveException("Migrations or provisioning are at work in database " + name
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
