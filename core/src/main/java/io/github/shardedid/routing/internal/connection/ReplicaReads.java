package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener.Fallback;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlTraits;
import io.github.shardedid.routing.replica.ReadsFrom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which reads of a routed connection go to replicas. A read-only transaction keeps to one replica of a database, or to the
 * database itself once it has read from that. Queries over several shards use it on several threads.
 */
public final class ReplicaReads {
    /** What a replica lacks that has not replayed a migration, or a shard's move: schema, table, column, function. */
    private static final Set<String> MISSING = Set.of("3F000", "42P01", "42703", "42883");

    private static final String RECOVERY_CONFLICT = "40001";

    private final Replicas replicas;
    private final ConnectionSettings settings;
    /** Of the current transaction; empty for the database itself. */
    private final Map<String, Optional<Replica>> chosen;
    /** Databases of which a replica has answered a statement of the current transaction. */
    private final Set<String> answered;

    public ReplicaReads(Replicas replicas, ConnectionSettings settings) {
        this.replicas = replicas;
        this.settings = settings;
        // Where there are no replicas, nothing is chosen, and each connection spares the two.
        chosen = replicas.areNone() ? Map.of() : new ConcurrentHashMap<>(2);
        answered = replicas.areNone() ? Set.of() : ConcurrentHashMap.newKeySet(2);
    }

    /** Whether a statement may go to a replica, if there is one of its database; and whether a transaction matters to nothing it runs. */
    public boolean allows(SqlTraits traits, boolean plain) {
        if (replicas.areNone() || traits.writes() || traits.locks() || ReadsFrom.current() == ReadsFrom.PRIMARY) {
            return false;
        }
        if (settings.isReadOnly()) {
            return (replicas.forReadOnly() || ReadsFrom.current() == ReadsFrom.REPLICA) && !isSerializable();
        }
        return settings.autoCommit && plain && ReadsFrom.current() == ReadsFrom.REPLICA;
    }

    /** Not possible on a hot standby. */
    private boolean isSerializable() {
        return settings.isolation != null && settings.isolation == Connection.TRANSACTION_SERIALIZABLE;
    }

    /** Whether statements to a database that may go to a replica do so now. */
    public boolean prefersReplica(String database) {
        return replicas.of(database)
                && (settings.autoCommit
                        || chosen.getOrDefault(database, Optional.empty()).isPresent()
                        || !chosen.containsKey(database));
    }

    /**
     * The routed connection's own connection to a replica, taken from its pool if there is none yet.
     *
     * @param begins whether its statements belong to the transaction from now on, if there is one
     * @return null where the database itself is asked
     */
    public @Nullable PhysicalConnection on(
            String database, Target.@Nullable Single target, PhysicalConnections physical, boolean begins)
            throws SQLException {
        if (!prefersReplica(database)) {
            return null;
        }
        PhysicalConnection held = physical.toReplicaOf(database);
        if (held != null) {
            if (begins) {
                physical.begin(held);
            }
            return held;
        }
        PhysicalConnection opened = connect(database);
        if (opened == null) {
            return null;
        }
        try {
            physical.add(opened, begins);
            return opened;
        } catch (SQLException e) {
            if (!leaves(opened, e)) {
                throw e;
            }
            return null;
        }
    }

    /** A connection to the replica that the transaction uses, or the next one; null for the database itself. */
    public @Nullable PhysicalConnection connect(String database) {
        Optional<Replica> last = settings.autoCommit ? null : chosen.get(database);
        PhysicalConnection physical = replicas.connect(database, last == null ? null : last.orElse(null));
        if (!settings.autoCommit) {
            chosen.put(database, Optional.ofNullable(physical == null ? null : physical.replica()));
        }
        return physical;
    }

    /** The transaction reads from the database itself from now on. */
    public void stayWithPrimary(String database) {
        if (!settings.autoCommit && !replicas.areNone()) {
            chosen.put(database, Optional.empty());
        }
    }

    /** A replica has answered: from now on, this transaction does not leave it. */
    public void answered(PhysicalConnection physical) {
        if (physical.isReplica() && !settings.autoCommit) {
            answered.add(physical.database());
        }
    }

    /** Whether a statement that a replica has failed at is sent to the database itself: if it was the first one there. */
    boolean mayLeave(PhysicalConnection physical, SQLException failure) {
        return physical.isReplica()
                && (settings.autoCommit || !answered.contains(physical.database()))
                && reason(failure) != null;
    }

    /** Whether what a replica has failed at is done on the database itself; if so, the replica is left. */
    public boolean leaves(PhysicalConnection physical, SQLException failure) {
        Replica replica = physical.replica();
        Fallback reason = reason(failure);
        if (replica == null || reason == null || !mayLeave(physical, failure)) {
            return false;
        }
        if (reason == Fallback.UNREACHABLE) {
            replica.fails(reason, failure);
        }
        replicas.fellBack(replica.database(), reason);
        stayWithPrimary(replica.database());
        return true;
    }

    /** Why a failure is the replica's own, or null if it is the statement's. */
    static @Nullable Fallback reason(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        if (ConnectionLoss.isLoss(failure)) {
            return Fallback.UNREACHABLE;
        } else if (MISSING.contains(state)) {
            return Fallback.BEHIND;
        }
        return RECOVERY_CONFLICT.equals(state) ? Fallback.CONFLICT : null;
    }

    /**
     * Refuses what was prepared for a replica in autocommit, and is executed in a transaction that may write.
     *
     * @throws SQLException if so
     */
    public void requireUsable(PhysicalConnection physical) throws SQLException {
        if (physical.isReplica() && !settings.autoCommit && !settings.isReadOnly()) {
            throw new SQLException(
                    "The statement was prepared for " + physical.replica()
                            + ", before this transaction, which may write"
                            + " and reads from the database itself. Prepare the statement again.",
                    "26000");
        }
    }

    /** The transaction has ended. */
    public void clear() {
        if (!replicas.areNone()) {
            chosen.clear();
            answered.clear();
        }
    }
}
