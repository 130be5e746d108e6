package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.PrimaryReads;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which reads of a routed connection go to replicas: those of read-only connections. Queries over
 * several shards use it on several threads.
 *
 * <p>A read-only transaction keeps to one replica of a database, or to the database itself once it has read
 * from that. Otherwise its second query could see less than its first one, as replicas lag behind by different
 * times:
 *
 * <ol>
 *   <li>The first read of a database chooses the next replica that can be used.
 *   <li>Until the replica has answered, a failure of its own, or one that shows that it lags behind, leads to
 *       the database itself.
 *   <li>Once it has answered, the transaction stays there, and the failure reaches the application.
 * </ol>
 */
public final class ReplicaReads {
    /**
     * The failures of a replica that has not replayed a migration, or a shard's move: a missing schema, table,
     * column or function; and a conflict of its recovery with the query.
     */
    private static final Set<String> BEHIND = Set.of("3F000", "42P01", "42703", "42883", "40001");

    private final Replicas replicas;
    private final ConnectionSettings settings;
    /** The choices of the current transaction, by database; empty for the database itself. */
    private final Map<String, Optional<Replica>> chosen = new ConcurrentHashMap<>(2);
    /** The databases of which a replica has answered a statement of the current transaction. */
    private final Set<String> answered = ConcurrentHashMap.newKeySet(2);

    public ReplicaReads(Replicas replicas, ConnectionSettings settings) {
        this.replicas = replicas;
        this.settings = settings;
    }

    /**
     * Returns whether a statement may go to a replica, if there is one of its database. A hot standby refuses
     * SERIALIZABLE.
     */
    public boolean allows(SqlAnalysis analysis) {
        return settings.isReadOnly()
                && !analysis.writes()
                && !analysis.locks()
                && !PrimaryReads.areCurrent()
                && (settings.isolation == null || settings.isolation != Connection.TRANSACTION_SERIALIZABLE);
    }

    /**
     * Returns the routed connection's own connection to a replica, taken from its pool if there is none yet.
     *
     * @param begins whether its statements belong to the transaction from now on, if there is one
     * @return null where the database itself is asked
     */
    public @Nullable PhysicalConnection on(String database, PhysicalConnections physical, boolean begins)
            throws SQLException {
        if (!replicas.of(database) || isPrimaryChosen(database)) {
            return null;
        }
        PhysicalConnection held = physical.find(database, true);
        if (held != null) {
            if (begins) {
                physical.begin(held);
            }
            return held;
        }
        PhysicalConnection opened = connect(database);
        try {
            if (opened != null) {
                physical.hold(opened, begins);
            }
            return opened;
        } catch (SQLException e) {
            if (opened != null && leaves(opened, e)) {
                return null;
            }
            throw e;
        }
    }

    private boolean isPrimaryChosen(String database) {
        Optional<Replica> last = settings.autoCommit ? null : chosen.get(database);
        return last != null && last.isEmpty();
    }

    /**
     * Returns a connection to the replica that the transaction uses, or the next one; null for the database
     * itself.
     */
    public @Nullable PhysicalConnection connect(String database) {
        if (!replicas.of(database) || isPrimaryChosen(database)) {
            return null;
        }
        Optional<Replica> last = settings.autoCommit ? null : chosen.get(database);
        PhysicalConnection physical = replicas.connect(database, last == null ? null : last.orElse(null));
        if (!settings.autoCommit) {
            chosen.put(database, Optional.ofNullable(physical == null ? null : physical.replica()));
        }
        return physical;
    }

    /**
     * Makes the transaction read from the database itself from now on. A write there must be seen by the reads
     * after it.
     */
    public void stayWithPrimary(String database) {
        if (!settings.autoCommit) {
            chosen.put(database, Optional.empty());
        }
    }

    /** Notes that a replica has answered: from now on, this transaction does not leave it. */
    public void answered(PhysicalConnection physical) {
        if (physical.isReplica() && !settings.autoCommit) {
            answered.add(physical.database());
        }
    }

    /**
     * Returns whether what a replica has failed at, as the first statement there, is done on the database
     * itself; if so, the replica is left. If its connection broke, it counts as down.
     */
    public boolean leaves(PhysicalConnection physical, SQLException failure) {
        Replica replica = physical.replica();
        boolean lost = ConnectionLoss.isLoss(failure);
        if (replica == null
                || (!settings.autoCommit && answered.contains(physical.database()))
                || !(lost || BEHIND.contains(String.valueOf(failure.getSQLState())))) {
            return false;
        }
        if (lost) {
            replica.fails(failure);
        }
        stayWithPrimary(replica.database);
        return true;
    }

    /**
     * Refuses to execute what was prepared for a replica, in a transaction that may write: its reads would not
     * see its writes.
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

    /** Notes that the transaction has ended. */
    public void clear() {
        chosen.clear();
        answered.clear();
    }
}
